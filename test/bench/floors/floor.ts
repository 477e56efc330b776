import type { Address } from 'viem';
import { type StackLayer, startStackFloor } from './stack-floor.ts';

/** As a process of its own: `LAYER PAYMASTER ENTRY_POINT`. Posts where it can be reached. */
const [layer, paymaster, entryPoint] = process.argv.slice(2);
process.once('disconnect', () => process.exit(0));
process.send?.(await startStackFloor(layer as StackLayer, paymaster as Address, entryPoint as Address));
