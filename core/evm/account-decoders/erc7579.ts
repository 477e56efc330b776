import type { CallForm } from './call-form.ts';
import { createFormDecoder } from './create-form-decoder.ts';
import { readErc7579Execution } from './read-erc7579-execution.ts';

/** `execute(bytes32,bytes)` of ERC-7579. */
export const erc7579Forms: readonly CallForm[] = [{ selector: '0xe9ae5c53', read: readErc7579Execution }];

/** Any account with the standard's `execute` and nothing before it. */
export const erc7579 = createFormDecoder('ERC7579', '1.0.0', { '0.7': erc7579Forms, '0.8': erc7579Forms });

/** Biconomy Nexus (EntryPoint 0.7). */
export const nexus100 = createFormDecoder('NEXUS', '1.0.0', { '0.7': erc7579Forms });
