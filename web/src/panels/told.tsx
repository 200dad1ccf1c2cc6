// An answer in words, as the command line prints it: label and value, line by line.

/** The whole answer beside curves, which show a part of it: where it stops, its extremes, what is left out. */
export function Told({ words }: { words: [label: string, value: string][] }) {
  return (
    <dl class="told" aria-label="The answer in words">
      {words.map(([label, value], k) => (
        <div key={k}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
