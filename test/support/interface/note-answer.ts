import { appendFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';

/** A request that a test sent over HTTP, and its answer. */
export type Noted = {
  /** The file of the test. */
  readonly test: string;
  readonly method: string;
  readonly path: string;
  readonly body: string;
  readonly status: number;
  readonly answer: string;
};

/** Where answers are noted; nowhere when absent. `npm run replay -- --suites` compares two such folders. */
export const folderOfNotes = process.env.NOTE_ANSWERS;

/** What a node answers, which is no answer of the service. */
const ofChain = /"method":"(eth|anvil|evm|debug|trace|web3|net|hardhat)_/;

let currentTest = () => '';

/** How a runner of tests names the file that runs. */
export function nameTests(name: () => string): void {
  currentTest = name;
}

/** Notes an answer of a service on this machine. What reading says depends on when it is read, so it is left out. */
export function noteAnswer(
  url: string,
  noted: { readonly method: string; readonly body: string; readonly status: number; readonly answer: string },
): void {
  if (folderOfNotes === undefined || folderOfNotes === '' || noted.method === 'GET' || ofChain.test(noted.body)) return;
  const { hostname, pathname: path } = new URL(url);
  if (hostname !== '127.0.0.1') return;
  mkdirSync(folderOfNotes, { recursive: true });
  const row: Noted = { test: currentTest(), path, ...noted };
  appendFileSync(join(folderOfNotes, `${process.pid}.jsonl`), `${JSON.stringify(row)}\n`);
}
