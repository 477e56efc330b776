/** Most bytes of `callData` that are read. */
export const maxCallData = 65_536;
/** Most calls in one batch. */
export const maxInnerCalls = 100;
