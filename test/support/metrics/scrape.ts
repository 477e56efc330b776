/** One sample of a page of metrics: its name with the suffix, its labels, its number. */
export type Scraped = {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
};

const form = /^(?<name>[a-z_]+)(?:\{(?<labels>.*)\})? (?<value>\S+)$/;
const pair = /(?<label>[a-z_]+)="(?<text>(?:[^"\\]|\\.)*)"/g;

/** Reads the text format of Prometheus. Throws for a line that is none, and for a name that begins twice. */
export function readMetrics(text: string): readonly Scraped[] {
  const begun = [...text.matchAll(/^# TYPE (\S+) /gm)].map(([, name]) => name);
  if (new Set(begun).size !== begun.length) throw new Error(`A metric begins twice: ${begun.join(', ')}`);
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return lines.map((line) => {
    const { name = '', labels = '', value = '' } = form.exec(line)?.groups ?? {};
    if (name === '') throw new Error(`This is no sample: ${line}`);
    const pairs = [...labels.matchAll(pair)].map(({ groups = {} }) => [groups.label, groups.text]);
    return {
      name,
      labels: Object.fromEntries(pairs),
      value: value === '+Inf' ? Number.POSITIVE_INFINITY : Number(value),
    };
  });
}

export async function scrape(adminUrl: string): Promise<readonly Scraped[]> {
  const response = await fetch(`${adminUrl}/metrics`);
  if (response.status !== 200) throw new Error(`/metrics answers ${response.status}`);
  return readMetrics(await response.text());
}

/** The numbers of a name whose labels are these, and perhaps others; added up. Undefined where there is none. */
export function sumOf(
  samples: readonly Scraped[],
  name: string,
  labels: Readonly<Record<string, string>> = {},
): number | undefined {
  const found = samples.filter(
    (sample) => sample.name === name && Object.entries(labels).every(([label, text]) => sample.labels[label] === text),
  );
  return found.length === 0 ? undefined : found.reduce((sum, { value }) => sum + value, 0);
}
