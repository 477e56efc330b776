import { CandidePaymaster } from 'abstractionkit';
import { type Hex, http, slice } from 'viem';
import { createBundlerClient } from 'viem/account-abstraction';
import { targetCall } from '../../support/chain/chain-lab.ts';
import { chainClient, simpleAccount } from '../../support/service/client-lab.ts';
import type { TicketClient } from './ticket-client.ts';

/** Candide's, which knows a policy as a parameter of its own, and no headers. */
export const candideTicketClient: TicketClient = {
  name: '`abstractionkit`',
  version: '0.7',
  arrives: ['ticket', 'sponsorshipInfo.ticket'],
  policyName: 'sponsorshipPolicyId',
  async send({ devnet, bundlerUrl, paymasterUrl, context, policyId }) {
    const account = await simpleAccount(devnet, '0.7');
    const client = createBundlerClient({ account, client: chainClient(devnet), transport: http(bundlerUrl) });
    const fees = await devnet.client.estimateFeesPerGas();
    const { factory, factoryData, nonce, callData, signature } = await client.prepareUserOperation({
      calls: [targetCall(devnet, 'increment')],
      parameters: ['factory', 'nonce', 'signature'],
      ...fees,
    });
    const bare = {
      ...{ sender: account.address, nonce, factory: factory ?? null, factoryData: factoryData ?? null, callData },
      ...{ callGasLimit: 0n, verificationGasLimit: 0n, preVerificationGas: 0n, signature },
      ...fees,
      ...{ paymaster: null, paymasterVerificationGasLimit: null, paymasterPostOpGasLimit: null, paymasterData: null },
    };
    const [filled] = await new CandidePaymaster(paymasterUrl).createSponsorPaymasterUserOperation(
      { entrypointAddress: devnet.entryPoints['0.7'] },
      bare,
      bundlerUrl,
      policyId,
      { context },
    );
    const { paymaster, paymasterData, paymasterVerificationGasLimit, paymasterPostOpGasLimit, ...limits } = filled;
    const unsigned = {
      ...{ sender: account.address, nonce, callData, signature, ...fees },
      ...(factory === undefined ? {} : { factory, factoryData }),
      ...{ callGasLimit: limits.callGasLimit, verificationGasLimit: limits.verificationGasLimit },
      preVerificationGas: limits.preVerificationGas,
      paymaster: slice(paymaster as Hex, 0, 20),
      paymasterData: paymasterData as Hex,
      paymasterVerificationGasLimit: paymasterVerificationGasLimit ?? 0n,
      paymasterPostOpGasLimit: paymasterPostOpGasLimit ?? 0n,
    };
    const signed = await account.signUserOperation(unsigned);
    return { sender: account.address, hash: await client.sendUserOperation({ ...unsigned, signature: signed }) };
  },
};
