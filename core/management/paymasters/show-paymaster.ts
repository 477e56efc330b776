import type { Paymaster } from '../../domain/paymaster.ts';
import { toPaymaster } from '../../paymasters/to-paymaster.ts';
import type { SecretBox } from '../../store/secret-box.ts';
import { etagOf } from '../audit-log/object-versions.ts';
import { paymasterFacts } from '../audit-log/row-facts.ts';

/** A stored paymaster as the management API shows it: with its newest apiKey in the clear, and its version. */
export function showPaymaster(row: Parameters<typeof toPaymaster>[0], box: SecretBox): Paymaster {
  return { ...toPaymaster(row, box), etag: etagOf('paymaster', paymasterFacts(row)) };
}
