import { z } from 'zod';
import type { ExplorerAnswer } from './explorer-answer.ts';

const AnswerSchema = z.object({ status: z.string(), result: z.string() });

/**
 * An answer of `module=contract&action=getabi`: `status` 1 and the ABI as text, else 0 and a sentence. The sentence
 * itself is not passed on: no one knows what an explorer repeats of a question that has the operator's key in it.
 */
export function readEtherscanAnswer(status: number, json: unknown): ExplorerAnswer {
  if (status !== 200) return { kind: 'unavailable', problem: `answered ${status}` };
  const answer = AnswerSchema.safeParse(json);
  if (!answer.success) return { kind: 'unavailable', problem: 'returned an invalid response' };
  const { status: outcome, result } = answer.data;
  if (outcome === '1') return { kind: 'verified', abi: result };
  if (/source code not verified/i.test(result)) return { kind: 'not verified' };
  return { kind: 'unavailable', problem: whatIsWrong(result) };
}

function whatIsWrong(sentence: string): string {
  if (/rate limit/i.test(sentence)) return 'was called too often';
  if (/api key/i.test(sentence)) return 'does not accept the key of this service';
  if (/chainid/i.test(sentence)) return 'does not know this chain';
  return 'did not answer the request';
}
