import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import { folderOfNotes, nameTests, noteAnswer } from '../interface/note-answer.ts';

const tests = fileURLToPath(new URL('../../', import.meta.url));

const isDone = Symbol.for('tollfree: answers are noted');
// Each test file of a worker loads this file again, and finds the same `fetch`.
if (folderOfNotes !== undefined && !Reflect.has(globalThis, isDone)) {
  const { fetch } = globalThis;
  globalThis.fetch = async (input, init) => {
    const request = input instanceof Request ? input.clone() : undefined;
    const response = await fetch(input, init);
    const body = request === undefined ? init?.body : await request.text();
    if (typeof body !== 'string') return response;
    noteAnswer(request?.url ?? String(input), {
      method: request?.method ?? init?.method ?? 'GET',
      body,
      status: response.status,
      answer: await response.clone().text(),
    });
    return response;
  };
  Reflect.set(globalThis, isDone, true);
}
nameTests(() => relative(tests, expect.getState().testPath ?? tests));
