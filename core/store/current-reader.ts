import { currentActor, currentOperation, currentSignal } from '../domain/access/actor.ts';
import type { Reader } from './read-turns.ts';

/** Who reads while signing in, all of them together. */
const visitors = 'visitors';

/** The account whose operation is in progress, and whether someone still waits for it. */
export function currentReader(): Reader {
  const [input, actor] = [currentOperation()?.input, currentActor()];
  const named = typeof input === 'object' && input !== null && 'accountId' in input ? input.accountId : undefined;
  const accountId = typeof named === 'string' ? named : actor?.kind === 'visitor' ? visitors : actor?.accountId;
  return { accountId, signal: currentSignal() };
}
