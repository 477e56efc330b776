import { privateKeyToAddress } from 'viem/accounts';
import { expect } from 'vitest';
import type { EntryPointVersion } from '../../../core/domain/entry-point-version.ts';
import { incrementCall } from '../../../server/dev/demo-operations.ts';
import type { Devnet } from '../../../server/dev/devnet/devnet.ts';
import { buildUserOperation, type DevCall } from '../../../server/dev/user-operation/build-user-operation.ts';
import { toRpcUserOperation } from '../../../server/dev/user-operation/dev-user-operation.ts';
import { freshKey } from '../service/running-service.ts';
import { type HttpAnswer, sendHttp } from './send-http.ts';

export type RpcError = {
  readonly code: number;
  readonly message: string;
  readonly data?: Readonly<Record<string, string>>;
};

export type Rpc = {
  readonly jsonrpc: string;
  readonly id: unknown;
  readonly result?: Readonly<Record<string, unknown>>;
  readonly error?: RpcError;
};

/** Posts JSON to an RPC address; a string is posted as it is. */
export function postRpc(url: string, sent: unknown): Promise<HttpAnswer> {
  const request = typeof sent === 'string' ? { text: sent } : { json: sent };
  return sendHttp(url, { method: 'POST', ...request });
}

/** One request of a method of the interface. */
export function callRpc(url: string, params: readonly unknown[], method = 'pm_getFeeQuoteOrData'): Promise<HttpAnswer> {
  return postRpc(url, { jsonrpc: '2.0', id: 1, method, params });
}

/** The `result` of an answer that must be a success. */
export function resultOf(answer: HttpAnswer): Readonly<Record<string, unknown>> {
  const { jsonrpc, result, error } = answer.json as Rpc;
  expect([answer.status, jsonrpc, error]).toEqual([200, '2.0', undefined]);
  if (result === undefined) throw new Error('The answer has no result.');
  return result;
}

/** HTTP status, code and reason of a refusal. */
export function refusalOf(answer: HttpAnswer): readonly [number, number | undefined, string | undefined] {
  const { error } = answer.json as Rpc;
  return [answer.status, error?.code, error?.data?.reason];
}

export function messageOf(answer: HttpAnswer): string {
  return (answer.json as Rpc).error?.message ?? '';
}

export const smartAccountInfo = { name: 'INFINITISM', version: '1.0.0' };

/** Limits that an operation of these tests lands with, and not so far above its need that they are refused. */
export const givenLimits = { callGasLimit: 100_000, verificationGasLimit: 400_000, preVerificationGas: 60_000 };

/** `params[1]` of a sponsorship that signs the limits it is given. */
export const sponsored = {
  mode: 'SPONSORED',
  calculateGasLimits: false,
  sponsorshipInfo: { webhookData: {}, smartAccountInfo },
};

/** An operation of an account that no one has used, with `givenLimits`, as a client sends it. */
export async function newOperation(
  devnet: Devnet,
  version: EntryPointVersion,
  calls: readonly DevCall[] = [incrementCall(devnet)],
): Promise<Readonly<Record<string, unknown>>> {
  const owner = privateKeyToAddress(freshKey());
  return { ...toRpcUserOperation(await buildUserOperation(devnet, { version, owner }, calls)), ...givenLimits };
}
