import type { CallForm } from './call-form.ts';
import { createFormDecoder } from './create-form-decoder.ts';
import { executeUserOpForm } from './execute-user-op.ts';
import { readErc7579Execution } from './read-erc7579-execution.ts';

/** `execute(bytes32,bytes)` of ERC-7579. */
export const erc7579Forms: readonly CallForm[] = [{ selector: '0xe9ae5c53', read: readErc7579Execution }];

/** Any account with the standard's `execute` and nothing before it. */
export const erc7579 = createFormDecoder('ERC7579', '1.0.0', {
  '0.7': erc7579Forms,
  '0.8': erc7579Forms,
  '0.9': erc7579Forms,
});

/**
 * The same for accounts that have an `executeUserOp` and call themselves with what follows it. Nexus 1.0 takes that for
 * `(address, bytes)`; bytes that are a call of `execute` begin with no address, so that there it reverts.
 */
export const erc7579FormsWithUserOp: readonly CallForm[] = [...erc7579Forms, executeUserOpForm(erc7579Forms)];

/** Biconomy Nexus (EntryPoint 0.7). */
export const nexus100 = createFormDecoder('NEXUS', '1.0.0', { '0.7': erc7579FormsWithUserOp });
