import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect } from 'vitest';
import { folderOfNotes, nameTests, noteAnswer } from '../interface/note-answer.ts';
import { noteReached, watchRefusingPlaces } from './refusing-places.ts';

const tests = fileURLToPath(new URL('../../', import.meta.url));

if (folderOfNotes !== undefined && folderOfNotes !== '') {
  const places = await watchRefusingPlaces();
  afterAll(async () => noteReached(folderOfNotes ?? '', await places.read()));
}

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
