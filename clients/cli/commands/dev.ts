import { rmSync } from 'node:fs';
import { omitAbsent } from '@tollfree/contract/omit-absent';
import { createManagementClient } from '@tollfree/sdk/management';
import type { Address } from 'viem';
import { generatePrivateKey, privateKeyToAccount, privateKeyToAddress } from 'viem/accounts';
import { entryPointVersions } from '../../../core/domain/entry-point-version.ts';
import type { Flags } from '../config/load-config.ts';
import { demonstrate, incrementCall, mint, sponsoredContext } from '../dev/demo-operations.ts';
import { curlCommand, describeDev } from '../dev/describe-dev.ts';
import { describeEnvironment } from '../dev/dev-env.ts';
import type { DevFile, DevPaymaster } from '../dev/dev-file.ts';
import { type DevOptions, readDevOptions } from '../dev/dev-options.ts';
import { openDevState } from '../dev/dev-state.ts';
import { deploySafe } from '../dev/devnet/deploy-safe.ts';
import { deriveDevKey } from '../dev/devnet/dev-keys.ts';
import type { Devnet } from '../dev/devnet/devnet.ts';
import { startDevnet } from '../dev/devnet/start-devnet.ts';
import { checkPortIsFree } from '../dev/free-port.ts';
import type { KeptSettings } from '../dev/keep-settings.ts';
import { reopenPaymaster } from '../dev/register-paymaster.ts';
import { type DevService, startDevService } from '../dev/start-dev-service.ts';
import { buildUserOperation } from '../dev/user-operation/build-user-operation.ts';
import { toRpcUserOperation } from '../dev/user-operation/dev-user-operation.ts';
import { waitUntilReady } from '../dev/wait-until-ready.ts';
import { writePrivateFile } from '../dev/write-private-file.ts';
import { createLogger } from '../log/logger.ts';
import { watchProcess } from '../process/watch-process.ts';
import { runService } from '../shutdown.ts';

/** Nothing is signed on a chain whose newest block is old, so that of a developer who pauses goes on. */
const idleBlockSeconds = 60;

/** Which of the chain's funded keys deploys the Safe contracts: none that is used beside it. */
const safeKeyNumber = 7;

const describeSettings: Readonly<Record<KeptSettings, string>> = {
  'there were none': 'Making new keys and tokens',
  kept: 'The keys, tokens and settings are those of the last run (--fresh makes new ones). Its chain is gone, and its books with it',
  'not readable': 'The settings of the last run cannot be read by this version: the authToken and the apiKeys are new',
};

type Progress = (line: string) => void;

/** `tollfree dev`: a chain, a funded service on it, and a first sponsored and token-paid operation. */
export async function runDev(flags: Flags): Promise<void> {
  const options = readDevOptions(flags);
  const { logger, figures } = watchProcess('dev', createLogger(options.logLevel));
  const progress: Progress = (line) => process.stderr.write(`· ${line}\n`);
  await checkPorts(options);
  const state = openDevState(options.data, options);
  progress(describeSettings[state.settings]);
  await runService({ logger }, async (shutdown) => {
    const devnet = await startDevnet({
      port: options.chainPort,
      paymasterSigner: privateKeyToAddress(state.signerKey.reveal()),
      idleBlockSeconds,
      onProgress: progress,
      ...omitAbsent({ nodeUrl: options.nodeUrl }),
    });
    shutdown.onClose('chain', devnet.close);
    // The Safe contracts take as long as the service does to start, and nothing here needs them.
    const [{ service, makeSignInLink }] = await Promise.all([
      startDevService({ devnet, state, options, logger, figures, shutdown }),
      deploySafe(devnet.client, privateKeyToAccount(deriveDevKey(safeKeyNumber))),
    ]);
    progress(`The service listens on ${service.gatewayUrl}`);

    const management = createManagementClient({ baseUrl: service.gatewayUrl, authToken: service.authToken });
    const paymasters: DevPaymaster[] = [];
    const happened: string[] = [];
    for (const [index, version] of entryPointVersions.entries()) {
      const parts = { devnet, management, gatewayUrl: service.gatewayUrl };
      const paymaster = await reopenPaymaster(parts, version, deriveDevKey(index + 1));
      progress(`Filled the gas tank of the paymaster ${paymaster.name}`);
      paymasters.push(paymaster);
      happened.push(...(await demonstrate(devnet, paymaster, deriveDevKey(0))));
      progress('Asked it for a sponsored and a token-paid user operation');
    }

    await giveTokens(devnet, privateKeyToAddress(state.ownerKey.reveal()));
    await waitUntilReady(service.adminUrl);
    const dev = toDevFile(devnet, service, paymasters);
    const { devFile, envFile } = state;
    writePrivateFile(devFile, `${JSON.stringify(dev, null, 2)}\n`);
    writePrivateFile(envFile, describeEnvironment(dev, state.ownerKey.reveal()));
    shutdown.onClose('dev.json and dev.env', () => {
      for (const file of [devFile, envFile]) rmSync(file, { force: true });
    });
    const curl = await exampleRequest(devnet, paymasters);
    process.stdout.write(`${describeDev(dev, { devFile, envFile, signInLink: makeSignInLink(), curl, happened })}\n`);
    if (options.json) process.stdout.write(`${JSON.stringify(dev)}\n`);
  });
}

/** Gives the SimpleAccount (EntryPoint 0.8) of the key that is in `dev.env` tokens to pay with. */
async function giveTokens(devnet: Devnet, owner: Address): Promise<void> {
  const { sender } = await buildUserOperation(devnet, { version: '0.8', owner }, []);
  const [token] = devnet.tokens;
  if (token !== undefined) await mint(devnet, privateKeyToAccount(deriveDevKey(0)), token, sender);
}

async function checkPorts(options: DevOptions): Promise<void> {
  await checkPortIsFree('port', options.port);
  await checkPortIsFree('grpcPort', options.grpcPort);
  await checkPortIsFree('adminPort', options.adminPort);
  await checkPortIsFree('bundlerPort', options.bundlerPort);
  if (options.nodeUrl === undefined) await checkPortIsFree('chainPort', options.chainPort);
}

function toDevFile(devnet: Devnet, service: DevService, paymasters: readonly DevPaymaster[]): DevFile {
  return {
    ...service,
    paymasters,
    chain: {
      chainId: devnet.chainId,
      rpcUrl: devnet.rpcUrl,
      entryPoints: devnet.entryPoints,
      accountFactories: devnet.accountFactories,
      target: devnet.target.address,
      targetAbi: devnet.target.abi,
      tokens: devnet.tokens,
      fundedKeys: devnet.fundedKeys,
    },
    pids: [process.pid, ...(devnet.pid === undefined ? [] : [devnet.pid])],
  };
}

/** A request for an account that does not exist yet, so that it can be pasted again and again. */
async function exampleRequest(devnet: Devnet, paymasters: readonly DevPaymaster[]): Promise<string> {
  const [paymaster] = paymasters;
  if (paymaster === undefined) return '';
  const owner = privateKeyToAddress(generatePrivateKey());
  const account = { version: paymaster.entryPointVersion, owner };
  const operation = await buildUserOperation(devnet, account, [incrementCall(devnet)]);
  return curlCommand(paymaster.rpcUrl, 'pm_getFeeQuoteOrData', [toRpcUserOperation(operation), sponsoredContext]);
}
