import { createFormDecoder } from './create-form-decoder.ts';
import { readBatchOfTuples, requireTargets } from './read-call-batches.ts';

/**
 * Ambire's account for EIP-7702 (EntryPoint 0.7). `execute` and `executeMultiple`, which carry signatures of their own, are not among the
 * calls that are sponsored. Calls without a target are skipped by the account; they are not understood.
 */
export const ambire100 = createFormDecoder('AMBIRE', '1.0.0', {
  '0.7': [{ selector: '0xabc5345e', read: (walker) => requireTargets(readBatchOfTuples(walker)) }], // executeBySender
});
