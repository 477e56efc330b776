/** A paymaster and the account it must belong to. Every query is bound to both. */
export type Owned = { readonly accountId: string; readonly paymasterId: string };
