import type { UnitPrices } from '../../../core/domain/unit-prices.ts';
import type { OwnPrices } from '../../../server/dev/devnet/ethereumjs/machine.ts';

/** Prices that no chain has. Each differs from those of mainnet and of Sepolia. */
export const madeUpPrices: OwnPrices = {
  2780: { txGas: 18_100, txRecipientAccessGas: 3_700, txValueCost: 7_100 },
  7976: { totalCostFloorPerToken: 11 },
  8037: { costPerStateByte: 901, perAuthBaseGas: 9_113 },
  8038: {
    coldsloadGas: 2_600,
    coldaccountaccessGas: 3_700,
    storageWriteGas: 13_000,
    accountWriteGas: 11_000,
    callValueTransferGas: 13_300,
    refundStorageClearGas: 9_000,
  },
};

/** What follows from them: EIP-8037 counts 64 bytes of state for a slot, and 120 for an account. */
export const madeUpUnits: UnitPrices = {
  newSlot: 2_600n + 13_000n + 64n * 901n,
  changedSlot: 2_600n + 13_000n,
  coldAccount: 3_700n,
  newAccount: 120n * 901n,
  codeByte: 901n,
  valueCall: 13_300n + 100n,
};
