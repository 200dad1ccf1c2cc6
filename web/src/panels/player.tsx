// The play bar under the drawing.

import { action } from "../actions";
import * as play from "../play";
import * as run from "../run";

const SPEEDS = [0.25, 0.5, 1, 2, 4];

export function Player() {
  return (
    <div class="player" role="group" aria-label="Play">
      <button type="button" class="play" data-action="play" aria-pressed={play.playing.value} onClick={action("play").run} title="Play or pause (Space)">
        {play.playing.value ? "❚❚ Pause" : "▶ Play"}
      </button>
      <button type="button" onClick={play.stop} title="Back to the drawing (R)">
        ■ Back
      </button>
      <input type="range" aria-label={run.isPlayed.value ? "Time of the run" : "Position of the drive"} aria-valuetext={play.reading.value} min={0} max={Math.max(1, play.frames.value - 1)} value={play.position.value} disabled={!play.frames.value} onInput={(event) => play.show(Number(event.currentTarget.value))} />
      {play.frames.value > 0 && <output class="reading">{play.reading.value}</output>}
      <label>
        <span class="hidden">Speed</span>
        <select aria-label="Speed" value={play.speed.value} onChange={(event) => (play.speed.value = Number(event.currentTarget.value))}>
          {SPEEDS.map((speed) => (
            <option key={speed} value={speed}>
              {speed}×
            </option>
          ))}
        </select>
      </label>
    </div>
  );
}
