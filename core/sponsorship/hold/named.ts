import type { RelayedOperation } from '../../ledger/holds/hold-request.ts';

/** A relayed operation in the form for the bundler, stored with the hold. */
export type Named = { readonly relayed: RelayedOperation };
