import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { createWalletClient, http, type WalletClient } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';

/** What the package has of interest, behind an entry that only newer versions of Node.js can load. */
type Setup = { setup(options: { anvilRpc: string; paymasterSigner: string }): Promise<void> };
type Relay = {
  createRpcHandler(options: { altoRpc: string; anvilRpc: string; paymasterSigner: WalletClient }): unknown;
};
/** The server that it runs on. */
type Fastify = () => { post(path: string, handler: unknown): void; listen(at: object): Promise<string> };

/** The package with all it needs, which the one of the development chain lacks. */
const home = resolve(import.meta.dirname, '../../node_modules/mock-paymaster');

/** The published mock paymaster on our chain, put together as its own entry does. Returns its address. */
export async function startMockPaymaster(nodeUrl: string): Promise<string> {
  const files = ['_esm/setup.js', '_esm/relay.js'].map((name) => join(home, name));
  const [{ setup }, { createRpcHandler }] = (await Promise.all(
    files.map((file) => import(pathToFileURL(file).href)),
  )) as [Setup, Relay];
  const fastify = createRequire(join(home, 'package.json'))('fastify') as Fastify;
  const paymasterSigner = createWalletClient({
    account: privateKeyToAccount(generatePrivateKey()),
    transport: http(nodeUrl),
  });
  await setup({ anvilRpc: nodeUrl, paymasterSigner: paymasterSigner.account.address });
  const server = fastify();
  // Estimates would need a bundler; what is measured asks for none.
  server.post('/', createRpcHandler({ anvilRpc: nodeUrl, altoRpc: nodeUrl, paymasterSigner }));
  return server.listen({ host: '127.0.0.1', port: 0 });
}
