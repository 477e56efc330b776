import type { Address } from 'viem';
import { startMockPaymaster } from '../../support/servers/mock-paymaster.ts';
import { startBareSigner } from './bare-signer.ts';

/** As a process of its own: `mock-paymaster NODE`, or `bare-signer ADDRESS`. Posts where it can be reached. */
const [, , kind, argument = ''] = process.argv;
process.once('disconnect', () => process.exit(0));
process.send?.(await (kind === 'mock-paymaster' ? startMockPaymaster(argument) : startBareSigner(argument as Address)));
