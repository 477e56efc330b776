import { Presets, Client as UseropClient } from 'userop';
import { getAddress, isHex, maxUint256 } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import type { DevCall } from '../../../server/dev/user-operation/build-user-operation.ts';
import { approveCall, targetCall } from '../chain/chain-lab.ts';
import { freshKey } from '../service/running-service.ts';
import type { AppClient } from './sending-clients.ts';
import { readTokenRate, tokenBound } from './token-bound.ts';

type SimpleAccount = Awaited<ReturnType<typeof Presets.Builder.SimpleAccount.init>>;

/** Stackup's `userop` with its own SimpleAccount and its own paymaster middleware. */
export const useropClient: AppClient = {
  name: 'userop 0.3.8',
  async open({ devnet, bundler }, { version, url, address: spender }) {
    const owner = privateKeyToAccount(freshKey());
    // What it calls of a signer of ethers 5.
    const signer = {
      getAddress: async () => owner.address,
      signMessage: (raw: string | Uint8Array) =>
        owner.signMessage({ message: typeof raw === 'string' ? raw : { raw } }),
    };
    const addresses = { entryPoint: devnet.entryPoints[version], overrideBundlerRpc: bundler.url };
    const client = await UseropClient.init(devnet.rpcUrl, addresses);
    const accountWith = (context: object) =>
      Presets.Builder.SimpleAccount.init(signer, devnet.rpcUrl, {
        ...addresses,
        factory: devnet.accountFactories[version],
        paymasterMiddleware: Presets.Middleware.verifyingPaymaster(url, context),
      });
    const send = async (account: SimpleAccount, calls: readonly DevCall[]) => {
      const targets = calls.map(({ to }) => to);
      const data = calls.map((call) => call.data);
      const { userOpHash } = await client.sendUserOperation(account.executeBatch(targets, data));
      if (!isHex(userOpHash)) throw new Error('The client returned no hash.');
      return userOpHash;
    };
    const increment = targetCall(devnet, 'increment');
    // Both contexts as its documentation has them.
    const sponsored = await accountWith({ type: 'payg' });
    return {
      sender: getAddress(sponsored.getSender()),
      initCode: '0x',
      sponsored: () => send(sponsored, [increment]),
      async paid(token) {
        const rate = await readTokenRate(devnet, { url, version, token: token.address });
        const paying = await accountWith({ type: 'erc20token', token: token.address });
        const hash = await send(paying, [approveCall(token, spender, maxUint256), increment]);
        return { hash, quoted: await tokenBound(devnet, { bundlerUrl: bundler.url, hash }, rate) };
      },
    };
  },
};
