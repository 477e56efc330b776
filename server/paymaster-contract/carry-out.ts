import {
  BaseError,
  createWalletClient,
  defineChain,
  formatEther,
  type Hash,
  http,
  keccak256,
  type TransactionReceipt,
} from 'viem';
import type { LocalAccount } from 'viem/accounts';
import { mistake, tryAgain } from '../../clients/cli/terminal/cli-error.ts';
import type { Flags } from '../../clients/cli/terminal/flags.ts';
import { printHint, printLine } from '../../clients/cli/terminal/print-answer.ts';
import { isConfirmed } from '../../clients/cli/terminal/prompts.ts';
import { withProgress } from '../../clients/cli/terminal/with-progress.ts';
import { askChain, type ChainAccess } from './configured-contract.ts';
import type { Payer } from './payer.ts';
import {
  describeTransaction,
  type PlannedTransaction,
  type PricedTransaction,
  priceTransaction,
} from './planned-transaction.ts';

/** Longest wait for a transaction to land, in milliseconds. */
const landingMs = 180_000;

/** The outcome of a planned transaction; `receipt` is present if it was sent and landed. */
export type CarriedOut = { readonly priced: PricedTransaction; readonly receipt?: TransactionReceipt };

/**
 * Shows a transaction, and sends it if `--yes` or the user at the terminal confirms. Otherwise it is a dry run, which
 * changes nothing. Waits for the receipt; a failed transaction is an error.
 */
export async function carryOut(
  access: ChainAccess,
  plan: { readonly planned: PlannedTransaction; readonly payer: Payer },
  flags: Flags,
): Promise<CarriedOut> {
  const { chain } = access;
  const priced = await priceTransaction(access, plan.planned);
  const lines = describeTransaction(chain, priced);
  const print = flags.json === true ? printHint : printLine;
  for (const [name, text] of lines) print(`${name.padEnd(14)} ${text}`);
  if (!(await isConfirmed(flags, 'Send it?'))) {
    printHint('Nothing was sent: this was a dry run. Send it with --yes.');
    return { priced };
  }
  if (priced.balance < priced.worstCost) {
    const { from, balance, worstCost } = priced;
    throw mistake(`${from} has ${formatEther(balance)} ether, but this can cost ${formatEther(worstCost)} ether.`);
  }
  const account = await plan.payer.open();
  const receipt = await withProgress('Waiting for the transaction to land', () => send(access, priced, account));
  return { priced, receipt };
}

async function send(
  access: ChainAccess,
  priced: PricedTransaction,
  account: LocalAccount,
): Promise<TransactionReceipt> {
  const { chain, client } = access;
  const { chainId, name, nodeUrls } = chain;
  const { to, data, value, gas, maxFeePerGas, maxPriorityFeePerGas } = priced;
  const [nodeUrl] = nodeUrls;
  const definition = defineChain({
    id: chainId,
    name,
    nativeCurrency: { name: 'coin', symbol: 'coin', decimals: 18 },
    rpcUrls: { default: { http: [...nodeUrls] } },
  });
  const wallet = createWalletClient({ account, chain: definition, transport: http(nodeUrl, { retryCount: 0 }) });
  const fees = maxPriorityFeePerGas === undefined ? { gasPrice: maxFeePerGas } : { maxFeePerGas, maxPriorityFeePerGas };
  const target = to === undefined ? {} : { to };
  const nonce = await askChain(chainId, client.getTransactionCount({ address: account.address, blockTag: 'pending' }));
  const serialized = await wallet.signTransaction({ ...target, data, value, gas, nonce, ...fees });
  const hash = keccak256(serialized);
  try {
    await wallet.sendRawTransaction({ serializedTransaction: serialized });
  } catch (error) {
    const reason = error instanceof BaseError ? error.shortMessage.replaceAll('\n', ' ') : 'unknown';
    throw tryAgain(
      `The node may or may not have accepted the transaction ${hash} (${reason}) Check it before you send another.`,
      error,
    );
  }
  printHint(`Sent the transaction ${hash}`);
  const receipt = await waitFor(client, hash);
  if (receipt.status === 'success') return receipt;
  throw mistake(`The transaction ${hash} failed. Its gas was paid, and nothing else has changed.`);
}

async function waitFor(client: ChainAccess['client'], hash: Hash): Promise<TransactionReceipt> {
  try {
    return await client.waitForTransactionReceipt({ hash, timeout: landingMs });
  } catch (error) {
    throw tryAgain(
      `The transaction ${hash} has not landed yet, but still can. Check it before you send another.`,
      error,
    );
  }
}

/** A transaction in a command's JSON output. Amounts are decimal text, in wei. */
export function toAnswer(chainId: number, { priced, receipt }: CarriedOut): Record<string, unknown> {
  const { action, from, to, value, gas, maxFeePerGas, worstCost, facts, changes } = priced;
  return {
    action,
    chainId,
    from,
    to: to ?? null,
    facts: Object.fromEntries(facts),
    changes,
    value: `${value}`,
    gas: `${gas}`,
    maxFeePerGas: `${maxFeePerGas}`,
    worstCost: `${worstCost}`,
    sent: receipt !== undefined,
    ...(receipt === undefined
      ? {}
      : {
          transaction: receipt.transactionHash,
          block: `${receipt.blockNumber}`,
          cost: `${receipt.gasUsed * receipt.effectiveGasPrice + value}`,
        }),
  };
}
