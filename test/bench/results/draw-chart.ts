import { type BenchResults, findRow } from './bench-results.ts';
import { busyConnections } from './capacity.ts';
import { peerRows, serviceRows } from './row-labels.ts';

type Bar = {
  readonly label: string;
  readonly group: 'own' | 'peer';
  readonly perSecond: number;
  readonly note: string;
};

const rowHeight = 34;
const [labelWidth, barWidth, top] = [350, 330, 74];
const width = labelWidth + barWidth + 200;
/** As wide as what is shown most of the time: peers that do nothing else are cut, and say so. */
const longest = 1.6;

/** On a light page, and on a dark one. Attributes paint it light where styles are forbidden. */
const colours = {
  page: ['#fff', '#0d1117'],
  text: ['#1b1f24', '#e6edf3'],
  quiet: ['#57606a', '#9da7b3'],
  own: ['#0b57b0', '#58a6ff'],
  peer: ['#8c959f', '#6e7681'],
} as const;
const dark = Object.entries(colours)
  .map(([name, [, colour]]) => `.${name}{fill:${colour}}`)
  .join('');
const paint = (name: keyof typeof colours) => `class="${name}" fill="${colours[name][0]}"`;

const shownRows = ['SPONSORED', 'new, given', 'new, estimated', 'ERC-7677, new'] as const;

/** Bars of decisions a second, as an SVG that reads well on light and dark pages. */
export function drawChart(results: BenchResults): string {
  const bars: readonly Bar[] = [
    ...shownRows.map((name) => barOf(results, name, `Tollfree: ${serviceRows[name]}`, 'own')),
    ...Object.entries(peerRows).map(([name, label]) => barOf(results, name, label, 'peer')),
  ];
  const most = Math.max(...bars.filter(({ group }) => group === 'own').map(({ perSecond }) => perSecond)) * longest;
  const height = top + bars.length * rowHeight + 36;
  const title = `Decisions a second with ${busyConnections} connections`;
  const text = bars.map(({ label, perSecond }) => `${label.replaceAll('`', '')}, ${Math.round(perSecond)}`).join('. ');
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="system-ui, sans-serif" font-size="14" role="img" aria-labelledby="t">`,
    `<title id="t">${title}. ${text}.</title>`,
    `<style>@media (prefers-color-scheme:dark){${dark}}</style>`,
    `<rect ${paint('page')} width="${width}" height="${height}" rx="8"/>`,
    `<text ${paint('text')} x="20" y="32" font-size="17" font-weight="700">${title}</text>`,
    `<text ${paint('quiet')} x="20" y="54" font-size="13">${results.cores} CPU cores, shared by service, chain node and load. Grey: signs everything, checks and stores nothing.</text>`,
    ...bars.map((bar, index) => drawBar(bar, top + index * rowHeight, most)),
    `<text ${paint('quiet')} x="20" y="${height - 14}" font-size="12">${results.processor}, Node.js ${results.node}, ${results.date}</text>`,
    '</svg>\n',
  ].join('\n');
}

function barOf(results: BenchResults, name: string, label: string, group: Bar['group']): Bar {
  const { decisionsPerSecond, serviceCpuMs } = findRow(results, name, busyConnections);
  const note = serviceCpuMs === undefined ? '' : `${serviceCpuMs.toFixed(2)} ms of CPU each`;
  return { label, group, perSecond: decisionsPerSecond, note };
}

function drawBar({ label, group, perSecond, note }: Bar, y: number, most: number): string {
  const isCut = perSecond > most;
  const length = Math.max(2, Math.round((Math.min(perSecond, most) / most) * barWidth));
  const [end, middle] = [labelWidth + length, y + 20];
  // A bar that does not end where its number is has a gap.
  const gap = isCut ? `<rect ${paint('page')} x="${end - 24}" y="${y}" width="6" height="${rowHeight}"/>` : '';
  const number = Math.round(perSecond).toLocaleString('en-US');
  return [
    `<text ${paint('text')} x="${labelWidth - 12}" y="${middle}" text-anchor="end">${label.replaceAll('`', '')}</text>`,
    `<rect ${paint(group)} x="${labelWidth}" y="${y + 5}" width="${length}" height="${rowHeight - 12}" rx="3"/>${gap}`,
    `<text ${paint('text')} x="${end + 8}" y="${middle}" font-weight="700">${number}<tspan ${paint('quiet')} font-weight="400" font-size="12" dx="8">${note}</tspan></text>`,
  ].join('');
}
