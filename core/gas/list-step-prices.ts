import type { GasSchedule } from './gas-schedule.ts';

/** What a chain charges for each step, in gas, with the step's name for people. */
export function listStepPrices(schedule: GasSchedule): readonly (readonly [step: string, gas: bigint])[] {
  return [
    ['transaction', schedule.transaction],
    ['new slot', schedule.newSlot],
    ['changed slot', schedule.changedSlot],
    ['first access of an account', schedule.coldAccount],
    ['new account', schedule.newAccount],
    ['byte of code', schedule.codeByte],
    ['call with value', schedule.valueCall],
    ['least for a zero byte of data', schedule.floorZeroByte],
    ['least for another byte of data', schedule.floorOtherByte],
    ['authorization', schedule.authorization],
    ['authorization of a new account', schedule.freshAuthorization],
  ];
}
