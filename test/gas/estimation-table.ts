import type { EntryPointVersion } from '../../core/domain/entry-point-version.ts';
import type { SponsorshipMode } from '../../core/domain/sponsorship.ts';
import type { GasLimits } from '../../core/domain/user-operation.ts';
import type { OperationOutcome } from '../../server/dev/user-operation/entry-point.ts';

/** An operation that has landed with our limits, and what the chain charged for it. */
export type EstimationRow = {
  readonly name: string;
  readonly version: EntryPointVersion;
  readonly mode: SponsorshipMode;
  readonly limits: GasLimits;
  readonly outcome: OperationOutcome;
};

const heading = [
  'operation',
  'EntryPoint',
  'mode',
  'call',
  'verification',
  'paymaster',
  'postOp',
  'preVerification',
  'charged',
  'transaction',
];

/** The rows as text with aligned columns; all numbers are gas. */
export function renderEstimates(rows: readonly EstimationRow[]): string {
  const lines = [heading, ...rows.map(cells)];
  const widths = heading.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  return lines
    .map((line) =>
      line
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

function cells({ name, version, mode, limits, outcome }: EstimationRow): string[] {
  const numbers = [
    limits.callGasLimit,
    limits.verificationGasLimit,
    limits.paymasterVerificationGasLimit,
    limits.paymasterPostOpGasLimit,
    limits.preVerificationGas,
    outcome.actualGasUsed,
    outcome.receipt.gasUsed,
  ];
  return [name, version, mode, ...numbers.map(String)];
}
