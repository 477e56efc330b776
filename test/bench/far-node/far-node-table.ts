import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Asked } from '../../support/servers/counting-node.ts';
import {
  type DecisionName,
  decisions,
  type FarLab,
  newOperation,
  readyAccount,
  viemPreparations,
} from '../../support/service/far-lab.ts';

/** The page that has the table. */
export const farNodePage = join(import.meta.dirname, '../../../docs/performance.md');
const begin = '<!-- a node far away: written by `npm run bench:far-node -- --write` -->\n';
const end = '<!-- end of a node far away -->';

const version = '0.7';
/** Each request is made so many times after the first, and the row has the median. */
const rounds = 5;

/** What each row asks for, one decision after another about one operation. */
const requests: readonly (readonly [title: string, names: readonly DecisionName[]])[] = [
  ['sponsored, estimated', ['sponsored, estimated']],
  ['stub of ERC-7677 (`pm_getPaymasterStubData`)', ['pm_getPaymasterStubData']],
  ['signature of ERC-7677 (`pm_getPaymasterData`)', ['pm_getPaymasterData, limits given']],
  ['both, one after the other', ['pm_getPaymasterStubData', 'pm_getPaymasterData, limits given']],
  ['quotes in tokens (`pm_getFeeQuoteOrData`), estimated', ['a quote in tokens, estimated']],
  ['paid in a token, estimated', ['paid in tokens, estimated']],
];

/** The rows of the table, with the names of its columns. */
export async function measureRows(lab: FarLab): Promise<readonly (readonly string[])[]> {
  const account = await readyAccount(lab, version);
  const asks = decisions(lab, version);
  const rows = [['request', 'calls', 'waits', 'time']];
  for (const [title, names] of requests) {
    const run = async () => {
      const operation = await newOperation(lab, account);
      return measure(lab, async () => {
        for (const name of names) {
          const { code, message } = await asks[name](operation);
          if (code !== undefined) throw new Error(`${name}: ${message}`);
        }
      });
    };
    rows.push([title, ...(await medianOf(run))]);
  }
  const preparations = await viemPreparations(lab, version);
  for (const [payment, prepare] of Object.entries(preparations)) {
    rows.push([`viem’s whole preparation, ${payment}`, ...(await medianOf(() => measure(lab, prepare)))]);
  }
  return rows;
}

type Measured = Asked & { readonly seconds: number };

async function measure({ node }: FarLab, work: () => Promise<void>): Promise<Measured> {
  const begun = performance.now();
  const asked = await node.count(work);
  return { ...asked, seconds: (performance.now() - begun) / 1_000 };
}

/** The run with the median time. The first one also asks for code that is remembered, and does not count. */
async function medianOf(run: () => Promise<Measured>): Promise<readonly string[]> {
  await run();
  const runs: Measured[] = [];
  for (let left = rounds; left > 0; left -= 1) runs.push(await run());
  runs.sort((one, other) => one.seconds - other.seconds);
  const { calls = 0, trips = 0, seconds = 0 } = runs[Math.floor(rounds / 2)] ?? {};
  return [String(calls), String(trips), `${seconds.toFixed(1)} s`];
}

/** The text of the page with these rows. */
export function pageWith([names = [], ...rows]: readonly (readonly string[])[]): string {
  const text = readFileSync(farNodePage, 'utf8');
  const from = text.indexOf(begin) + begin.length;
  const to = text.indexOf(end);
  if (from < begin.length || to < from) throw new Error(`${farNodePage} has no table of a node far away.`);
  const lines = [line(names), line(names.map(() => '---')), ...rows.map(line)];
  return `${text.slice(0, from)}\n${lines.join('\n')}\n\n${text.slice(to)}`;
}

function line(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`;
}
