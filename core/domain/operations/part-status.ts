/**
 * One part of the service, for `/readyz` and gRPC health. The rest goes on without an `optional` one: one chain of
 * several, one paymaster contract.
 */
export type PartStatus = {
  readonly part: string;
  readonly ready: boolean;
  readonly detail: string;
  readonly optional?: true;
};
