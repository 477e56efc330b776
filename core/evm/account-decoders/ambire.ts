import { createFormDecoder } from './create-form-decoder.ts';
import { readBatchOfTuples, requireTargets } from './read-call.ts';

/**
 * Ambire's account for EIP-7702 (EntryPoint 0.7). `execute` and `executeMultiple` carry signatures of their own and are not
 * sponsored. The account skips calls without a target; they are not understood.
 */
export const ambire100 = createFormDecoder('AMBIRE', '1.0.0', {
  '0.7': [{ selector: '0xabc5345e', read: (walker) => requireTargets(readBatchOfTuples(walker)) }], // executeBySender
});
