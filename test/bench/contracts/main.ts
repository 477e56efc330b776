import { measureOverhead } from './measure-overhead.ts';
import { openOverheadLab } from './overhead-lab.ts';

/** `npm run bench:contracts`: what a paymaster contract adds to the gas of a call, for each family on a chain of its own. */
const lab = await openOverheadLab();
try {
  const rows = [['family', 'EntryPoint', 'sponsored', 'token']];
  for (const paymaster of lab.paymasters) {
    const { sponsored, token } = await measureOverhead(lab, paymaster);
    rows.push([paymaster.family.name, paymaster.family.entryPointVersion, gasText(sponsored), gasText(token)]);
  }
  for (const row of rows)
    process.stdout.write(
      `${row
        .map((cell, at) => cell.padEnd(at === 0 ? 26 : 12))
        .join('')
        .trimEnd()}\n`,
    );
} finally {
  await lab.close();
}

function gasText(gas: bigint | undefined): string {
  return gas === undefined ? '–' : gas.toLocaleString('en-US');
}
