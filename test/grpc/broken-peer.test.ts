import { inspect } from 'node:util';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Input } from '../../core/domain/core.ts';
import { accept, type Result } from '../../core/domain/result/result.ts';
import {
  type OperationName,
  operationNames,
  operations,
  type Route,
  type Send,
  type Value,
} from '../../core/grpc/operation.ts';
import { countOutcomes, type Outcomes } from '../support/arbitrary/count-outcomes.ts';
import { repeatsOfRun } from '../support/run/rows-of-run.ts';
import { arbitraryCall } from './arbitrary-of.ts';

type Path = readonly string[];
type Spoil = (message: unknown) => void;
const noise = 'no such thing, no. 7';
const leave: Spoil = () => {};

/** Where the texts of a message are, however deep. */
function pathsOfTexts(value: unknown): readonly Path[] {
  if (typeof value === 'string') return [[]];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value)
    .filter(([key]) => !key.startsWith('$') && key !== 'case')
    .flatMap(([key, inner]) => pathsOfTexts(inner).map((path) => [key, ...path]));
}

function putNoise(value: unknown, [key = '', ...rest]: Path): void {
  const fields = value as Record<string, unknown>; // a path leads through objects and lists only
  if (rest.length === 0) fields[key] = noise;
  else putNoise(fields[key], rest);
}

/** A call from client to server and back, in which either message can be spoilt. Tells what either end made of it. */
async function callThrough<Name extends OperationName>(
  name: Name,
  [input, value]: [Input<Name>, Value<Name>],
  { request: spoilRequest, response: spoilResponse }: { request: Spoil; response: Spoil },
): Promise<{ received: unknown; answer: Result<Value<Name>> }> {
  const operation = operations[name];
  let received: unknown;
  const send: Send = async (method, sent) => {
    const request = method.requestDeserialize(method.requestSerialize(sent));
    spoilRequest(request);
    let handled: Promise<unknown> | undefined;
    const route: Route = (_, handle) => {
      handled = handle(request as never); // it is the same method, so its requests are the same
    };
    operation.serve(route, async (domain) => {
      received = domain;
      return accept(value);
    });
    const answered = (await handled) as ReturnType<typeof method.newResponse>;
    const response = method.responseDeserialize(method.responseSerialize(answered));
    spoilResponse(response);
    return response;
  };
  const answer = await operation.call(send)(input);
  return { received, answer };
}

const seesNoise = (domain: unknown) => inspect(domain, { depth: 20 }).includes(noise);

/** Some other text of a message is carried over or refused by the name of its field: never taken for something else. */
async function expectNoiseIsSeen<Name extends OperationName>(
  name: Name,
  side: 'request' | 'response',
  outcomes: Outcomes<'no text' | 'refused' | 'carried over'>,
): Promise<void> {
  const { input, value } = arbitraryCall(name);
  const property = fc.asyncProperty(input, value, fc.nat(), async (sentInput, sentValue, chance) => {
    let path: Path | undefined;
    const spoil: Spoil = (message) => {
      const paths = pathsOfTexts(message);
      path = paths[chance % paths.length];
      if (path !== undefined) putNoise(message, path);
    };
    const outcome = await callThrough(name, [sentInput, sentValue], { request: leave, response: leave, [side]: spoil })
      .then(({ received, answer }) => ({ domain: side === 'request' ? received : answer }))
      .catch((error: unknown) => ({ error }));
    if (path === undefined) return outcomes.note('no text');
    outcomes.note('error' in outcome ? 'refused' : 'carried over');
    if ('error' in outcome) {
      const field = path.findLast((key) => /^[a-z]/i.test(key) && key !== 'values') ?? '';
      const inWords = field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
      expect(String(outcome.error)).toMatch(
        new RegExp(
          `tollfree\\.core\\.v1\\.\\w+\\.(${inWords}|values): (.* is expected here|a required value is missing)`,
        ),
      );
      expect(String(outcome.error)).not.toContain(noise);
    } else {
      // A reason, or a kind of limit, that is not known yet is a refusal all the same.
      expect(seesNoise(outcome.domain) || ['reason', 'limitKind'].includes(path.at(-1) ?? '')).toBe(true);
    }
  });
  await fc.assert(property, { numRuns: repeatsOfRun(5, 40) });
}

describe.each(['request', 'response'] as const)(
  'noise in a %s is carried over or refused by the name of its field',
  (side) => {
    const outcomes = countOutcomes('no text', 'refused', 'carried over');
    test.each(operationNames)('%s', (name) => expectNoiseIsSeen(name, side, outcomes));
    test('happened both ways, and some messages have no text', () => outcomes.expectAllSeen());
  },
);
