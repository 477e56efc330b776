import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Noted } from '../support/interface/note-answer.ts';
import { idPatterns } from './normal-form.ts';

/** What the tests of one commit asked and were answered, without what is random or counted. */
export type SuitesAnswers = {
  readonly requests: number;
  /** The different answers of each file of tests. */
  readonly byFile: ReadonlyMap<string, ReadonlySet<string>>;
};

/** An answer that one of two runs of a file has alone. */
export type OtherAnswer = { readonly file: string; readonly answer: string; readonly isNew: boolean };

/** What test processes noted in the folder that `NOTE_ANSWERS` named. */
export function readSuites(folder: string): SuitesAnswers {
  const byFile = new Map<string, Set<string>>();
  let requests = 0;
  for (const notes of readdirSync(folder).filter((name) => name.endsWith('.jsonl'))) {
    for (const line of readFileSync(join(folder, notes), 'utf8').split('\n')) {
      if (line === '') continue;
      const noted = JSON.parse(line) as Noted;
      const answers = byFile.get(noted.test) ?? new Set();
      byFile.set(noted.test, answers.add(writeAnswer(noted)));
      requests += 1;
    }
  }
  return { requests, byFile };
}

/** Where files of tests that ran in both got other answers. Files that one of them does not have are left out. */
export function compareSuites(before: SuitesAnswers, after: SuitesAnswers): readonly OtherAnswer[] {
  return [...before.byFile].flatMap(([file, old]) => {
    const now = after.byFile.get(file);
    if (now === undefined) return [];
    const gone = [...old].filter((answer) => !now.has(answer)).map((answer) => ({ file, answer, isNew: false }));
    const added = [...now].filter((answer) => !old.has(answer)).map((answer) => ({ file, answer, isNew: true }));
    return [...gone, ...added];
  });
}

/**
 * A test makes keys, accounts and operations of its own each time, so amounts of gas differ by the zero bytes of an address. What is
 * compared is which fields were there, and every word: whether it was signed, who paid, the reason and the sentence of a refusal.
 */
function writeAnswer({ method, path, body, status, answer }: Noted): string {
  return `${method} ${blank(path)} ${blank(body)} → ${status} ${blank(answer)}`;
}

function blank(text: string): string {
  const withoutIds = idPatterns.reduce((written, pattern) => written.replaceAll(pattern, 'id'), text);
  return withoutIds
    .replaceAll(/(?<=^\/api\/v\d+\/\d+\/)[^/]+/g, 'id')
    .replaceAll(/"etag":"[^"]*"/g, '"etag":"id"')
    .replaceAll(/0x[0-9a-fA-F]+/g, '0x…')
    .replaceAll(/\d+(\.\d+)?/g, '0');
}
