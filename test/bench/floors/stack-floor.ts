import { mkdtempSync } from 'node:fs';
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import express from 'express';
import { JSONRPCServer } from 'json-rpc-2.0';
import { type Address, type Hex, hexToBigInt } from 'viem';
import { generatePrivateKey } from 'viem/accounts';
import { Secret } from '../../../core/base/values/secret.ts';
import { sampleOperation } from '../../../core/evm/paymaster-contracts/family/preflight.ts';
import { pimlicoSingleton07 } from '../../../core/evm/paymaster-contracts/singleton/pimlico-singleton-packed.ts';
import { createSigner } from '../../../core/evm/signer/create-signer.ts';
import { openHandle } from '../../../core/store/sqlite/open-handle.ts';

/** Each has what those before it have. */
export const stackLayers = ['http', 'express', 'json-rpc', 'signature', 'commit'] as const;
export type StackLayer = (typeof stackLayers)[number];

type Params = readonly [{ readonly nonce: Hex }, ...unknown[]];
type Answer = (params: Params) => Promise<unknown>;

const method = 'pm_getFeeQuoteOrData';

/**
 * The least that a service of these packages takes for an answer, up to one of the layers: the body read and answered, Express,
 * json-rpc-2.0, our digest and signature, and one row that is on disk before the answer, many to a commit. It decides nothing.
 * Returns its address.
 */
export async function startStackFloor(layer: StackLayer, paymaster: Address, entryPoint: Address): Promise<string> {
  const has = (wanted: StackLayer) => stackLayers.indexOf(layer) >= stackLayers.indexOf(wanted);
  const signed = has('signature') ? await createSigning(paymaster, entryPoint) : async () => ({ mode: 'SPONSORED' });
  const answer = has('commit') ? withCommit(signed) : signed;
  const handle = answering(has('json-rpc') ? throughJsonRpc(answer) : answer);
  const server = createServer(has('express') ? underExpress(handle) : handle);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

function answering(answer: Answer) {
  return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { id, params } = JSON.parse(await text(request)) as { id: unknown; params: Params };
    const result = await answer(params);
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ jsonrpc: '2.0', id, result }));
  };
}

function underExpress(handle: ReturnType<typeof answering>): RequestListener {
  const app = express();
  app.post('/', (request, response) => void handle(request, response));
  return app;
}

function throughJsonRpc(answer: Answer): Answer {
  const server = new JSONRPCServer();
  server.addMethod(method, answer);
  return async (params) => (await server.receive({ jsonrpc: '2.0', id: 1, method, params }))?.result;
}

async function createSigning(address: Address, entryPoint: Address): Promise<Answer> {
  const signer = await createSigner({ kind: 'raw', privateKey: new Secret(generatePrivateKey()) });
  const contract = { chainId: 31_337, address, entryPoint };
  const operation = sampleOperation(pimlicoSingleton07);
  const signedTerms = {
    mode: 'SPONSORED',
    validUntil: 2_000_000_000,
    validAfter: 1,
    fundingWallet: '0x1111111111111111111111111111111111111111',
    priceMarkup: 1_000_000,
  } as const;
  return async ([{ nonce }]) => {
    const asked = { ...operation, nonce: hexToBigInt(nonce) };
    const { unsigned, digest } = pimlicoSingleton07.prepare(contract, asked, signedTerms);
    return { paymasterAndData: pimlicoSingleton07.assemble(unsigned, await signer.signDigest(digest)) };
  };
}

/** Rows wait for each other until the loop has read what has come. */
function withCommit(answer: Answer): Answer {
  const database = openHandle(join(mkdtempSync(join(tmpdir(), 'tollfree-floor-')), 'floor.db'));
  database.pragma('journal_mode = WAL');
  database.pragma('synchronous = FULL');
  database.exec('CREATE TABLE holds (hold_id INTEGER PRIMARY KEY, nonce TEXT NOT NULL) STRICT');
  const insert = database.prepare('INSERT INTO holds (nonce) VALUES (?)');
  const commit = database.transaction((nonces: readonly Hex[]) => {
    for (const nonce of nonces) insert.run(nonce);
  });
  let waiting: { readonly nonce: Hex; done(): void }[] = [];
  const held = (nonce: Hex) =>
    new Promise<void>((done) => {
      waiting.push({ nonce, done });
      if (waiting.length > 1) return;
      setImmediate(() => {
        const batch = waiting;
        waiting = [];
        commit(batch.map((one) => one.nonce));
        for (const one of batch) one.done();
      });
    });
  return async (params) => {
    await held(params[0].nonce);
    return answer(params);
  };
}
