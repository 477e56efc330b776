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
    '<style>.page{fill:#fff}.text{fill:#1b1f24}.quiet{fill:#57606a}.own{fill:#0b57b0}.peer{fill:#8c959f}',
    '@media (prefers-color-scheme:dark){.page{fill:#0d1117}.text{fill:#e6edf3}.quiet{fill:#9da7b3}.own{fill:#58a6ff}.peer{fill:#6e7681}}</style>',
    `<rect class="page" width="${width}" height="${height}" rx="8"/>`,
    `<text class="text" x="20" y="32" font-size="17" font-weight="700">${title}</text>`,
    `<text class="quiet" x="20" y="54" font-size="13">${results.cores} CPU cores, shared by service, chain node and load. Grey: signs everything, checks and stores nothing.</text>`,
    ...bars.map((bar, index) => drawBar(bar, top + index * rowHeight, most)),
    `<text class="quiet" x="20" y="${height - 14}" font-size="12">${results.processor}, Node.js ${results.node}, ${results.date}</text>`,
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
  const gap = isCut ? `<rect class="page" x="${end - 24}" y="${y}" width="6" height="${rowHeight}"/>` : '';
  const number = Math.round(perSecond).toLocaleString('en-US');
  return [
    `<text class="text" x="${labelWidth - 12}" y="${middle}" text-anchor="end">${label.replaceAll('`', '')}</text>`,
    `<rect class="${group}" x="${labelWidth}" y="${y + 5}" width="${length}" height="${rowHeight - 12}" rx="3"/>${gap}`,
    `<text class="text" x="${end + 8}" y="${middle}" font-weight="700">${number}<tspan class="quiet" font-weight="400" font-size="12" dx="8">${note}</tspan></text>`,
  ].join('');
}
