import type { Logger } from '../base/logger.ts';
import type { Clock } from '../base/time/clock.ts';
import { createDecisionRecorder } from '../decisions/record-decisions.ts';
import { createSignatureRecorder } from '../ledger/holds/record-signatures.ts';
import { createSentRecorder } from '../ledger/lives/note-sent.ts';
import { createUseRecorder } from '../paymasters/note-use.ts';
import type { Store } from '../store/store.ts';
import { createAnswerRecorder } from '../webhooks/record-answers.ts';

/** Everything that is written in the background after requests. `close` writes what is still waiting. */
export function createRecorders(store: Store, clock: Clock, logger: Logger) {
  const recorders = {
    uses: createUseRecorder(store, logger),
    answers: createAnswerRecorder(store, logger),
    signatures: createSignatureRecorder(store, clock, logger),
    sent: createSentRecorder(store, clock, logger),
    decisions: createDecisionRecorder(store, logger),
  };
  const all = Object.values(recorders);
  return { ...recorders, close: async () => void (await Promise.all(all.map((recorder) => recorder.close()))) };
}

export type Recorders = ReturnType<typeof createRecorders>;
