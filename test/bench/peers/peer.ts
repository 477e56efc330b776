import type { Address } from 'viem';
import { startBareSigner } from './bare-signer.ts';
import { startMockPaymaster } from './mock-paymaster.ts';

/** As a process of its own: `mock-paymaster NODE`, or `bare-signer ADDRESS`. Posts where it can be reached. */
const [, , kind, argument = ''] = process.argv;
process.once('disconnect', () => process.exit(0));
process.send?.(await (kind === 'mock-paymaster' ? startMockPaymaster(argument) : startBareSigner(argument as Address)));
