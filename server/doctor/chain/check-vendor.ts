import { numberToHex } from 'viem';
import { gasScheduleOf, readGasSchedule } from '../../../core/gas/gas-schedule.ts';
import type { ChainClient } from '../../../core/node/chain-client.ts';
import { createVendor, readVendorFields } from '../../../core/node/vendor/create-vendor.ts';
import type { VendorSection } from '../../config/chain-part-schemas.ts';
import type { ChainSection } from '../../config/chain-schema.ts';
import { toVendor } from '../../config/to-core-config.ts';
import { configuredContracts } from '../../paymaster-contract/configured-contract.ts';
import { type Check, type Finding, findingsAbout } from '../finding.ts';

/** Checks the chain's second paymaster, if it has one: one stub per EntryPoint. */
export function checkVendor(chain: ChainSection, client: ChainClient): readonly Check[] {
  const { vendor } = chain;
  if (vendor === undefined) return [];
  const about = `chain ${chain.chainId}, vendor`;
  const places = new Map(configuredContracts(chain).map(({ entryPoint, family }) => [entryPoint, family]));
  return [
    {
      about,
      run: () =>
        Promise.all(
          [...places].map(([entryPoint, { entryPointVersion }]) =>
            askForStub({ chain, client, vendor, entryPoint, entryPointVersion }, about),
          ),
        ),
    },
  ];
}

type Place = {
  readonly chain: ChainSection;
  readonly client: ChainClient;
  readonly vendor: VendorSection;
  readonly entryPoint: string;
  readonly entryPointVersion: Parameters<typeof readVendorFields>[1]['version'];
};

/** A nonexistent account without calls: a vendor that simulates refuses it, which shows that the vendor answers. */
const sender = '0x000000000000000000000000000000000000dEaD';

async function askForStub(
  { chain, client, vendor, entryPoint, entryPointVersion }: Place,
  about: string,
): Promise<Finding> {
  // A node that does not answer is a finding of its own.
  await readGasSchedule(client);
  const prices = gasScheduleOf(client);
  const find = findingsAbout(about);
  const config = toVendor(vendor);
  const packed = entryPointVersion !== '0.6';
  const operation = {
    sender,
    nonce: '0x0',
    callData: '0x',
    signature: '0x',
    maxFeePerGas: '0x0',
    maxPriorityFeePerGas: '0x0',
    callGasLimit: '0x0',
    verificationGasLimit: '0x0',
    preVerificationGas: '0x0',
    ...(packed ? {} : { initCode: '0x', paymasterAndData: '0x' }),
  };
  let named = '';
  const answer = await createVendor(config, { clock: Date }).ask(
    'pm_getPaymasterStubData',
    [operation, entryPoint, numberToHex(chain.chainId), config.context],
    (result) => {
      named = nameOf(result);
      return readVendorFields(result, { version: entryPointVersion, config, prices });
    },
  );
  if (answer.kind === 'answered') return find.ok('vendor', `It answers for the EntryPoint ${entryPoint}.`);
  if (answer.kind === 'refused') {
    return find.ok('vendor', `It responds, and refuses an empty operation for the EntryPoint ${entryPoint}.`);
  }
  if (named !== '') {
    return find.failure(
      'vendor-other-paymaster',
      `For the EntryPoint ${entryPoint} it answers with ${named}, which is not accepted: another paymaster contract, too much gas or a mode in which users pay.`,
      'If the vendor confirms the contract, add it to vendor.paymasters. Check vendor.maxPaymasterGas and vendor.context.',
    );
  }
  return find.failure(
    'vendor-silent',
    `It gives no stub for the EntryPoint ${entryPoint}: ${answer.cause}.`,
    'Check the URL in vendor.urlFile, and that the vendor serves this chain and EntryPoint (ERC-7677).',
  );
}

/** The paymaster contract of an answer, as text; empty if there is none. */
function nameOf(result: unknown): string {
  const { paymaster, paymasterAndData } = Object(result) as Readonly<Record<string, unknown>>;
  const text = typeof paymaster === 'string' ? paymaster : paymasterAndData;
  const address = typeof text === 'string' ? /^0x[0-9a-f]{40}/i.exec(text)?.[0] : undefined;
  return address ?? '';
}
