import type { z } from 'zod';
import type { Arrival } from '../../core/domain/arrival.ts';
import type { Core } from '../../core/domain/core.ts';
import type { Result } from '../../core/domain/result/result.ts';
import type { JsonText } from './json.ts';

/**
 * The target of a request (the two segments of the endpoint's address), and its caller: the counted address, and the parts
 * of its arrival that apiKeys can be restricted to.
 */
export type RpcAddress = {
  readonly chainId: number;
  readonly apiKey: string;
  readonly clientAddress: string;
  readonly arrival: Arrival;
  /** The token of `authorization: Bearer`, if one was sent: a ticket. */
  readonly bearer?: string;
};

type FromWhere = 'clientAddress' | 'arrival';

/** The same without a caller, for requests that are only explained. */
export type UncountedAddress = Omit<RpcAddress, FromWhere> & Partial<Pick<RpcAddress, FromWhere>>;

/** One JSON-RPC method: its params are parsed before `handle`. */
export type RpcMethod<Params> = {
  readonly method: string;
  readonly params: z.ZodType<Params>;
  /** How many params are read; further ones are ignored. */
  readonly paramCount: number;
  handle(core: Core, params: Params, address: RpcAddress): Promise<Result<JsonText>>;
};
