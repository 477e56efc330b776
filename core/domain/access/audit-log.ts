import { authorKinds } from '@tollfree/contract/access/audit-log';

/** Who has made a change: as an actor of a call, or the service by itself. */
export { authorKinds };

/** A change that was made. */
export type AuditLogEntry = {
  /** Counts up. */
  readonly entryId: string;
  /** Unix seconds. */
  readonly changedAt: number;
  readonly accountId?: string;
  readonly paymasterId?: string;
  /** Of the core, like `setPolicy`. */
  readonly operation: string;
  readonly author: (typeof authorKinds)[number];
  /** The id of the authToken or session. */
  readonly credentialId?: string;
  /** The wallet that signed in for the session. */
  readonly wallet?: string;
  /** Where the request came from. */
  readonly address?: string;
  /** What program sent it, in its own words. */
  readonly client?: string;
  /** JSON: of each object that changed what was, by its kind and id. Nothing secret. */
  readonly beforeJson: string;
  /** The same of what is since. */
  readonly afterJson: string;
};

export type AuditLogFilter = {
  /** Unix seconds; from it on. */
  readonly from?: number;
  /** Unix seconds; before it. */
  readonly until?: number;
  /** An author, the id of a credential, or a wallet. */
  readonly who?: string;
  readonly operation?: string;
  /** The id of an object that changed, or of the paymaster it belongs to. */
  readonly object?: string;
};

/** A page, the newest first; `nextCursor` is absent on the last one. */
export type AuditLogPage = { readonly entries: readonly AuditLogEntry[]; readonly nextCursor?: string };
