import { inspect } from 'node:util';
import { to7702SimpleSmartAccount } from 'permissionless/accounts';
import { http } from 'viem';
import { createBundlerClient, type SmartAccount } from 'viem/account-abstraction';
import { privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { SendSponsoredError, type SendStep } from '../../clients/sdk/errors/send-sponsored-error.ts';
import { userMessage } from '../../clients/sdk/errors/user-message.ts';
import { type SendSponsoredParameters, sendSponsored } from '../../clients/sdk/send/send-sponsored.ts';
import type { entryPointVersions } from '../../core/domain/entry-point-version.ts';
import { delegateOf } from '../../core/evm/entry-point/eip7702.ts';
import { targetCall } from '../support/chain/chain-lab.ts';
import { signDelegation } from '../support/chain/eip7702-lab.ts';
import { entryPointsOfRun } from '../support/chain/tabled-entry-points.ts';
import { findClosedPort } from '../support/servers/find-closed-port.ts';
import {
  forward,
  type RpcRequest,
  respond,
  respondError,
  respondResult,
  startRpcServer,
} from '../support/servers/json-rpc-server.ts';
import {
  type ClientLab,
  chainClient,
  expectSponsored,
  openClientLab,
  simpleAccount,
} from '../support/service/client-lab.ts';
import { freshKey } from '../support/service/running-service.ts';

let lab: ClientLab;
beforeAll(async () => {
  lab = await openClientLab();
});
afterAll(() => lab?.close());

async function parametersOf(version: (typeof entryPointVersions)[number] = '0.7') {
  const account: SmartAccount = await simpleAccount(lab.devnet, version);
  const calls = [targetCall(lab.devnet, 'increment')];
  const { rpcUrl: url } = lab.paymaster(version);
  return { account, calls, url, bundlerUrl: lab.bundler.url, pollingInterval: 20 } satisfies SendSponsoredParameters;
}

/** A bundler that does something else with some calls, and hands on the others. */
async function bundlerThat(answer: (request: RpcRequest) => Promise<{ result?: unknown; error?: string } | undefined>) {
  const server = await startRpcServer(async (request, response) => {
    const own = await answer(request);
    if (own?.error !== undefined) return respondError(response, request, -32_500, own.error);
    if (own !== undefined) return respondResult(response, request, own.result);
    respond(response, await forward(lab.bundler.url, request));
  });
  onTestFinished(() => server.close());
  return server.url;
}

async function failureOf(parameters: SendSponsoredParameters): Promise<SendSponsoredError> {
  const error = await sendSponsored(parameters).then(
    () => undefined,
    (cause: unknown) => cause,
  );
  if (!(error instanceof SendSponsoredError)) throw new Error(`It ended with ${String(error)}`);
  for (const url of [parameters.url, parameters.bundlerUrl ?? parameters.url]) {
    const key = new URL(url).pathname.slice(-20);
    if (key.length > 1) expect(inspect(error, { depth: 20, showHidden: true })).not.toContain(key);
  }
  expect(userMessage(error)).toBe(error.userMessage);
  return error;
}

test.each(entryPointsOfRun)(
  'one call sends a sponsored operation of EntryPoint %s and waits until it landed',
  async (version) => {
    const parameters = await parametersOf(version);
    const steps: SendStep[] = [];
    await expectSponsored(lab, version, parameters.account.address, 'clients/sdk', async () => {
      const sent = await sendSponsored({ ...parameters, onStep: (step) => steps.push(step) });
      expect(sent.transactionHash).toBe(sent.receipt.receipt.transactionHash);
      expect(sent.hash).toBe(sent.receipt.userOpHash);
      return sent.receipt;
    });
    expect(steps).toEqual(['prepare', 'sponsor', 'sign', 'send', 'wait']);
  },
);

describe('an EIP-7702 account', () => {
  async function delegating() {
    const owner = privateKeyToAccount(freshKey());
    const delegate = lab.devnet.simple7702Account;
    const account = await to7702SimpleSmartAccount({
      client: chainClient(lab.devnet),
      owner,
      accountLogicAddress: delegate,
    });
    const parameters = { ...(await parametersOf('0.8')), account };
    return { owner, delegate, parameters };
  }

  test('sends its first operation, for which its own key signs the authorization, and the next one', async () => {
    const { owner, delegate, parameters } = await delegating();
    for (let nth = 0; nth < 2; nth += 1) {
      await expectSponsored(lab, '0.8', owner.address, 'clients/sdk', async () => {
        const { receipt } = await sendSponsored(parameters);
        return receipt;
      });
    }
    expect(delegateOf(await lab.devnet.client.getCode({ address: owner.address }))).toBe(delegate);
  });

  test('sends an authorization that is given, such as one that a wallet has signed', async () => {
    const { owner, delegate, parameters } = await delegating();
    const { authorization: _, ...account } = parameters.account;
    const authorization = await signDelegation(lab.devnet, owner, delegate);
    await expectSponsored(lab, '0.8', owner.address, 'clients/sdk', async () => {
      const { receipt } = await sendSponsored({ ...parameters, account: account as SmartAccount, authorization });
      return receipt;
    });
  });
});

describe('the error names the step, the reason and what to tell the user', () => {
  test('when the paymaster refuses: before anything is signed', async () => {
    const parameters = await parametersOf();
    const steps: SendStep[] = [];
    const error = await failureOf({
      ...parameters,
      calls: [targetCall(lab.devnet, 'fail')],
      onStep: (step) => steps.push(step),
    });
    expect(error).toMatchObject({ step: 'sponsor', reason: 'METHOD_NOT_WHITELISTED', hash: undefined });
    expect(error.userMessage).toBe('This transaction is not free of charge here.');
    expect(error.decisionId).toEqual(expect.any(String));
    expect(steps).toEqual(['prepare']);
  });

  test('when the paymaster cannot be reached', async () => {
    const url = `http://127.0.0.1:${await findClosedPort()}/api/v2/1/a-secret-that-is-long-enough`;
    const error = await failureOf({ ...(await parametersOf()), url });
    expect(error).toMatchObject({ step: 'sponsor', reason: 'SERVICE_UNREACHABLE' });
  });

  test('when the bundler is a URL with a key that cannot be reached, or answers with its own address', async () => {
    const key = 'a-key-of-the-bundler-in-its-url';
    const nowhere = `http://127.0.0.1:${await findClosedPort()}/${key}?apikey=${key}-2`;
    expect((await failureOf({ ...(await parametersOf()), bundlerUrl: nowhere })).step).toBe('prepare');
    const server = await startRpcServer((_, response) => respond(response, `Cannot POST /${key}`, 404));
    onTestFinished(() => server.close());
    const error = await failureOf({ ...(await parametersOf()), bundlerUrl: `${new URL(server.url).origin}/${key}` });
    expect(error.reason).toBe('ESTIMATION_FAILED');
    expect(error.cause).toBeInstanceOf(Error);
  });

  test('when a call of the user reverts, also with the clients of viem alone', async () => {
    const { account } = await parametersOf();
    const bundlerClient = createBundlerClient({
      account,
      client: chainClient(lab.devnet),
      transport: http(lab.bundler.url),
    });
    const { address: to, abi } = lab.devnet.target;
    const error = await bundlerClient.sendUserOperation({ calls: [{ to, abi, functionName: 'fail' }] }).then(
      () => undefined,
      (cause: unknown) => cause,
    );
    expect(userMessage(error)).toBe('This transaction would fail: “FailedOnPurpose”.');
  });

  test('when the operation cannot be estimated', async () => {
    const bundlerUrl = await bundlerThat(async ({ method }) =>
      method === 'eth_estimateUserOperationGas' ? { error: 'UserOperation reverted during simulation' } : undefined,
    );
    const error = await failureOf({ ...(await parametersOf()), bundlerUrl });
    expect(error).toMatchObject({ step: 'prepare', reason: 'ESTIMATION_FAILED' });
  });

  test('when the person does not sign', async () => {
    const parameters = await parametersOf();
    const signUserOperation = () => Promise.reject(new Error('User rejected the request.'));
    const error = await failureOf({ ...parameters, account: { ...parameters.account, signUserOperation } });
    expect(error).toMatchObject({ step: 'sign', reason: 'NOT_SIGNED' });
    expect(error.message).toContain('User rejected the request.');
  });

  test('when the bundler does not accept it', async () => {
    const bundlerUrl = await bundlerThat(async ({ method }) =>
      method === 'eth_sendUserOperation' ? { error: 'AA25 invalid account nonce' } : undefined,
    );
    const error = await failureOf({ ...(await parametersOf()), bundlerUrl });
    expect(error).toMatchObject({ step: 'send', reason: 'NOT_ACCEPTED', hash: undefined });
    expect(error.message).toContain('nonce');
    expect(error.message).not.toContain('secret-key');
  });

  test('when its own calls revert on chain', async () => {
    const parameters = await parametersOf();
    const { address } = parameters.account;
    await lab.devnet.client.setBalance({ address, value: 1n });
    const bundlerUrl = await bundlerThat(async ({ method }) => {
      if (method === 'eth_sendUserOperation') await lab.devnet.client.setBalance({ address, value: 0n });
      return undefined;
    });
    const error = await failureOf({
      ...parameters,
      bundlerUrl,
      calls: [{ ...targetCall(lab.devnet, 'pay'), value: 1n }],
    });
    expect(error).toMatchObject({ step: 'execute', reason: 'REVERTED', receipt: { success: false } });
    expect(error.hash).toBe(error.receipt?.userOpHash);
  });

  test('when the bundler forgets it: dropped, after the timeout', async () => {
    const bundlerUrl = await bundlerThat(async ({ method, params }) => {
      if (method === 'eth_sendUserOperation') return { result: `0x${'ab'.repeat(32)}` };
      return method === 'eth_getUserOperationReceipt' || method === 'eth_getUserOperationByHash'
        ? { result: params.length === 0 ? undefined : null }
        : undefined;
    });
    const error = await failureOf({ ...(await parametersOf()), bundlerUrl, timeout: 300 });
    expect(error).toMatchObject({ step: 'wait', reason: 'DROPPED', hash: `0x${'ab'.repeat(32)}` });
  });

  test('when another operation uses its nonce: replaced, at once', async () => {
    const { account, ...others } = await parametersOf();
    const nonce = await account.getNonce();
    const parameters = { ...others, account: { ...account, getNonce: async () => nonce } };
    const bundlerUrl = await bundlerThat(async ({ method }) => {
      if (method === 'eth_sendUserOperation') {
        // The same account sends another one on its own, with the same nonce.
        await sendSponsored({ ...parameters, calls: [...parameters.calls, ...parameters.calls] });
        return { result: `0x${'cd'.repeat(32)}` };
      }
      return method === 'eth_getUserOperationReceipt' ? { result: null } : undefined;
    });
    const error = await failureOf({ ...parameters, bundlerUrl });
    expect(error).toMatchObject({ step: 'wait', reason: 'REPLACED' });
    expect(error.userMessage).toContain('Another transaction');
  });
});
