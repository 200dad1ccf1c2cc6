// Plays the frames of one film: no network, no storage, nothing but this page.
(() => {
  "use strict";
  const film = JSON.parse(document.getElementById("film").textContent);
  const svg = document.querySelector("figure svg");
  const slider = document.getElementById("frame");
  const button = document.getElementById("play");
  const words = document.getElementById("words");
  const count = film.words.length;
  const groups = film.movers.map((_, k) => [...svg.querySelectorAll(`[data-mover="${k}"]`)]);
  const stage = svg.querySelector("[data-stage]");
  const calm = matchMedia("(prefers-reduced-motion: reduce)");
  let frame = 0, playing = false, begun = 0;

  function show(n) {
    frame = Math.max(0, Math.min(count - 1, n));
    film.movers.forEach((mover, k) => {
      const [c, s, e, f] = mover.slice(4 * frame, 4 * frame + 4);
      for (const group of groups[k]) group.setAttribute("transform", `matrix(${c} ${-s} ${s} ${c} ${e} ${f})`);
    });
    film.redrawn.forEach((paths, k) => {
      const path = svg.querySelector(`[data-redrawn="${k}"]`);
      if (path) path.setAttribute("d", paths[frame]);
    });
    if (stage && film.frames.length) stage.innerHTML = film.frames[frame].map((k) => film.elements[k]).join("");
    slider.value = String(frame);
    words.textContent = film.words[frame];
    slider.setAttribute("aria-valuetext", film.words[frame]);
  }

  function step(now) {
    if (!playing) return;
    const gone = ((now - begun) / 1000 / film.seconds) % 1;
    show(Math.floor(gone * count));
    requestAnimationFrame(step);
  }

  function play(on) {
    playing = on;
    button.textContent = on ? "Pause" : "Play";
    button.setAttribute("aria-pressed", String(on));
    if (on) {
      begun = performance.now() - (frame >= count - 1 ? 0 : frame / count) * film.seconds * 1000;
      requestAnimationFrame(step);
    }
  }

  const keys = {
    " ": () => play(!playing),
    k: () => play(!playing),
    ArrowRight: () => { play(false); show(frame + 1); },
    ArrowLeft: () => { play(false); show(frame - 1); },
    Home: () => { play(false); show(0); },
    End: () => { play(false); show(count - 1); },
  };
  button.addEventListener("click", () => play(!playing));
  slider.addEventListener("input", () => { play(false); show(Number(slider.value)); });
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || !(event.key in keys)) return;
    if (event.key === " " && event.target === button) return;
    event.preventDefault();
    keys[event.key]();
  });
  calm.addEventListener("change", () => { if (calm.matches) play(false); });
  slider.max = String(count - 1);
  show(0);
  if (!calm.matches) play(true);
})();
