/** Most bytes of `callData` that are read. */
export const longestCallData = 65_536;
/** Most calls in one batch. */
export const mostInnerCalls = 100;
