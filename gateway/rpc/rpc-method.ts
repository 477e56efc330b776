import type { z } from 'zod';
import type { Core } from '../../core/domain/core.ts';
import type { Arrival } from '../../core/domain/keys/arrival.ts';
import type { Result } from '../../core/domain/result/result.ts';
import type { JsonText } from './json/json-text.ts';

/**
 * Where a request was sent to, the two segments of the endpoint's address, and by whom: the address it is counted under, and
 * what of its arrival an apiKey can be bound to.
 */
export type RpcAddress = {
  readonly chainId: number;
  readonly apiKey: string;
  readonly clientAddress: string;
  readonly arrival: Arrival;
  /** The token of `authorization: Bearer`, where one was sent: a ticket. */
  readonly bearer?: string;
};

type FromWhere = 'clientAddress' | 'arrival';

/** The same without a caller, for what is only explained. */
export type UncountedAddress = Omit<RpcAddress, FromWhere> & Partial<Pick<RpcAddress, FromWhere>>;

/** One JSON-RPC method: its params are parsed before `handle` sees them. */
export type RpcMethod<Params> = {
  readonly method: string;
  readonly params: z.ZodType<Params>;
  /** How many params are read; what follows them is ignored. */
  readonly paramCount: number;
  handle(core: Core, params: Params, address: RpcAddress): Promise<Result<JsonText>>;
};
