import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import type { Noted } from '../support/interface/note-answer.ts';
import { compareSuites, readSuites } from './compare-suites.ts';

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

function suitesWith(...answers: readonly string[]) {
  const folder = mkdtempSync(join(tmpdir(), 'tollfree-suites-'));
  folders.push(folder);
  const rows = answers.map((answer): Noted => {
    const sender = `0x${String(Math.random()).slice(2)}`;
    const path = `/api/v1/8453/key-${sender}/`;
    return {
      test: 'attacks/griefed-call.test.ts',
      method: 'POST',
      path,
      body: `{"sender":"${sender}"}`,
      status: 200,
      answer,
    };
  });
  writeFileSync(join(folder, '1.jsonl'), rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
  return readSuites(folder);
}

test('two runs whose keys, amounts and order differ had the same answers', () => {
  const before = suitesWith('{"preVerificationGas":"0xabc"}', '{"message":"at most 41,000 gas"}');
  const after = suitesWith('{"message":"at most 42,500 gas"}', '{"preVerificationGas":"0xdef0"}');
  expect(compareSuites(before, after)).toEqual([]);
});

test('another reason is found, with the answer that is gone and the one that came', () => {
  const others = compareSuites(suitesWith('{"reason":"LIMIT_REACHED"}'), suitesWith('{"reason":"PAUSED"}'));
  expect(others.map(({ answer, isNew }) => [isNew, /"reason":"(\w+)"/.exec(answer)?.[1]])).toEqual([
    [false, 'LIMIT_REACHED'],
    [true, 'PAUSED'],
  ]);
});
