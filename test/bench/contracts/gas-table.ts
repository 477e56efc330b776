import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { measureOverhead, type Overhead } from './measure-overhead.ts';
import type { OverheadLab } from './overhead-lab.ts';

/** The page that has the table. */
export const gasTablePage = join(import.meta.dirname, '../../../docs/performance.md');
const begin = '<!-- gas of paymaster contracts: written by `npm run bench:contracts -- --write` -->\n';
const end = '<!-- end of gas of paymaster contracts -->';

/** What the paymaster contracts add, one row a family, with the names of the columns. */
export async function measureRows(lab: OverheadLab): Promise<readonly (readonly string[])[]> {
  const rows = [['family', 'EntryPoint', 'sponsored', 'token']];
  for (const paymaster of lab.paymasters) {
    const { name, entryPointVersion } = paymaster.family;
    rows.push([name, entryPointVersion, ...gasTexts(await measureOverhead(lab, paymaster))]);
  }
  return rows;
}

/** The rows of the table on the page. */
export function readRows(): readonly (readonly string[])[] {
  const lines = splitPage()
    .table.split('\n')
    .filter((line) => line.startsWith('| ') && !line.startsWith('| ---'));
  return lines.map((line) => line.slice(2, -2).replaceAll('`', '').split(' | '));
}

/** The text of the page with these rows. */
export function pageWith([names = [], ...rows]: readonly (readonly string[])[]): string {
  const { before, after } = splitPage();
  const lines = [
    line(names),
    line(names.map(() => '---')),
    ...rows.map(([family, ...cells]) => line([`\`${family}\``, ...cells])),
  ];
  return `${before}${begin}\n${lines.join('\n')}\n\n${after}`;
}

function line(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`;
}

function splitPage() {
  const text = readFileSync(gasTablePage, 'utf8');
  const [before, rest] = text.split(begin);
  const at = rest?.indexOf(end) ?? -1;
  if (before === undefined || rest === undefined || at < 0) throw new Error(`${gasTablePage} has no table of gas.`);
  return { before, table: rest.slice(0, at), after: rest.slice(at) };
}

function gasTexts({ sponsored, token }: Overhead): readonly string[] {
  return [sponsored, token].map((gas) => (gas === undefined ? '–' : gas.toLocaleString('en-US')));
}
