import { randomBytes } from 'node:crypto';
import { counted } from '@tollfree/contract/counted';
import { formatEther, parseEther, parseGwei } from 'viem';
import { generatePrivateKey, privateKeyToAccount, privateKeyToAddress } from 'viem/accounts';
import { mistake } from '../../clients/cli/terminal/cli-error.ts';
import { type Flags, requiredFlag } from '../../clients/cli/terminal/flags.ts';
import { printAnswer, printHint, printLine } from '../../clients/cli/terminal/print-answer.ts';
import { Secret } from '../../core/base/values/secret.ts';
import { findWellKnownChain } from '../chains/well-known-chains.ts';
import { createLogger } from '../create-logger.ts';
import { startDevBundler } from '../dev/bundler/start-dev-bundler.ts';
import { devCoreConfig, nativePriceUsd } from '../dev/dev-core-config.ts';
import { readDevOptions } from '../dev/dev-options.ts';
import { deriveDevKey } from '../dev/devnet/dev-keys.ts';
import { playChain } from '../dev/devnet/play-chain.ts';
import { startAnvil } from '../dev/devnet/start-anvil.ts';
import { startDevnet } from '../dev/devnet/start-devnet.ts';
import { startWithTip } from '../dev/devnet/suggest-tip.ts';
import { choosePorts } from '../dev/free-port.ts';
import { bundlerKeyNumber } from '../dev/start-dev-service.ts';
import { runService } from '../shutdown.ts';

/** The block time of the layer 2s that can be rehearsed, in seconds. */
const blockSeconds = 2;
/** Tip that is usual there, in wei per gas. */
const usualTip = parseGwei('0.001');
/** Longest wait for the coin's price at Coinbase, in milliseconds. */
const priceMs = 5_000;

/**
 * `tollfree dev --as base`: a chain with the id, EntryPoints, fee oracle and price feeds of a known one, and a bundler. The service is
 * what the developer sets up against it.
 */
export async function rehearse(flags: Flags): Promise<void> {
  const wanted = requiredFlag(flags, 'as');
  const known = findWellKnownChain(wanted);
  if (known === undefined || known.sequencerFeed === undefined) {
    throw mistake(`--as ${wanted} is not a known layer 2. Use base or optimism.`);
  }
  if (flags.accountsFrom !== undefined) throw mistake('With --as no accounts are copied: leave out --accounts-from.');
  const { chainPort, bundlerPort } = await choosePorts(readDevOptions(flags), printHint);
  const logger = createLogger('error');
  await runService({ logger }, async (shutdown) => {
    const anvil = await startAnvil({ port: 0, chainId: known.chainId, idleBlockSeconds: blockSeconds });
    shutdown.onClose('chain', anvil.close);
    const node = await startWithTip({ nodeUrl: anvil.rpcUrl, port: chainPort, tip: usualTip });
    shutdown.onDrain('node', node.close);
    const signerKey = generatePrivateKey();
    const paymasterSigner = privateKeyToAddress(signerKey);
    const devnet = await startDevnet({ port: 0, nodeUrl: node.url, paymasterSigner });
    const published = await readCoinPrice(known.coin);
    await playChain(devnet.client, known, published ?? nativePriceUsd);
    // The bundler has no database and signs for no paymaster: it takes the chain's part alone.
    const unused = { databaseFile: '', masterKey: new Secret(randomBytes(32)), signerKey: new Secret(signerKey) };
    const [config] = devCoreConfig(devnet, unused, 0n).chains;
    if (config === undefined) throw new Error('The development chain has no configuration.');
    const account = privateKeyToAccount(deriveDevKey(bundlerKeyNumber));
    const bundler = await startDevBundler({ devnet, config, account, port: bundlerPort });
    shutdown.onDrain('bundler', bundler.close);
    const answer = {
      chainId: known.chainId,
      nodeUrl: node.url,
      bundlerUrl: bundler.url,
      target: devnet.target.address,
    };
    printAnswer(flags, answer, () => {
      printLine(
        `A chain that plays ${known.name} (${known.chainId}), with a block every ${counted(blockSeconds, 'second')}. Ctrl-C ends it.`,
      );
      printLine(`node       ${node.url}, for --node-url`);
      printLine(`bundler    ${bundler.url}`);
      printLine(`contract   ${devnet.target.address}, whose increment() can be sponsored`);
      printLine(`\nTo give an address ${formatEther(oneCoin)} coin:\n\n  ${giveCoin(node.url)}\n`);
      if (published === undefined)
        printHint(
          `Coinbase is out of reach, so a feed made up $${nativePriceUsd} and no second source agrees: limits in USD refuse everything. Use --daily-limit none for the rehearsal.`,
        );
    });
  });
}

const oneCoin = parseEther('1');

function giveCoin(nodeUrl: string): string {
  const body = `{"jsonrpc":"2.0","id":1,"method":"anvil_setBalance","params":["0xAddress","0x${oneCoin.toString(16)}"]}`;
  return `curl -s ${nodeUrl} -H 'content-type: application/json' -d '${body}'`;
}

/** The coin's price in USD at Coinbase, with which a feed has to agree; undefined if it is out of reach. */
async function readCoinPrice(coin: string): Promise<string | undefined> {
  try {
    const signal = AbortSignal.timeout(priceMs);
    const response = await fetch(`https://api.coinbase.com/v2/prices/${coin}-USD/spot`, { signal });
    const { data }: { data?: { amount?: unknown } } = await response.json();
    return typeof data?.amount === 'string' && /^\d+(\.\d{1,8})?$/.test(data.amount) ? data.amount : undefined;
  } catch {
    return undefined;
  }
}
