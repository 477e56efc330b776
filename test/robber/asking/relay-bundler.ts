import type { Hex } from 'viem';
import { respond, startRpcServer } from '../../support/servers/json-rpc-server.ts';

type Key = { readonly sender: string; readonly nonce: bigint };

/** The operator's bundler, as far as the service sees it: what it takes is bundled by the robber's world. */
export type RelayBundler = {
  readonly url: string;
  /** Says which hash an operation has, which the bundler is going to be handed. */
  expect(operation: Key, hash: Hex): void;
  close(): Promise<void>;
};

const keyOf = ({ sender, nonce }: Key) => `${sender.toLowerCase()} ${nonce}`;

/** Starts a bundler that takes every operation, and answers with the hash that it is to expect. */
export async function startRelayBundler(): Promise<RelayBundler> {
  const hashes = new Map<string, Hex>();
  const server = await startRpcServer(({ id, params }, response) => {
    const [operation] = params as [{ sender?: string; nonce?: string } | undefined];
    const { sender = '', nonce = '0' } = typeof operation === 'object' ? operation : {};
    const result = hashes.get(keyOf({ sender, nonce: BigInt(nonce) })) ?? null;
    respond(response, { jsonrpc: '2.0', id, result });
  });
  return {
    url: server.url,
    close: server.close,
    expect: (operation, hash) => void hashes.set(keyOf(operation), hash),
  };
}
