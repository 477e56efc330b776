import type { RelayedOperation } from '../../ledger/holds/hold-request.ts';

/** A relayed operation as the bundler is going to get it. It is kept with the hold. */
export type Named = { readonly relayed: RelayedOperation };
