/** Frequent steps without texts; of two similar ones, the more frequent comes last. */
const steps = [
  '["api-key",["api-key","',
  '["api-key-origins",["api-key-origins","https://',
  '["api-key-rate",["api-key-rate","',
  '["limit-total-month-usd",["limit","total","month","usdMicros",["',
  '["limit-key-day-wei",["limit","key","day","wei",["',
  '["limit-subject-ever-operations",["limit","subject","ever","operations",["',
  '["limit-sender-day-operations",["limit","sender","day","operations",["',
  '["account-budget",["account-budget","',
  '["webhook",["webhook","',
  '["ticket",["ticket","',
  '["policy-ticket",["policy-ticket",null,true]],',
  '["coin-price",["coin-price"]],["contract-state",["contract-state"]],',
  '["mode",["mode","ERC20"]],["fee-token",["fee-token"]],["policy-tokens",["policy-tokens","0x',
  '["token-price",["token-price","USDC",100]],["token-payment",["token-payment","USDC",true]],["quote",["quote"]],',
  '["operator-unpaid",["operator-unpaid",["0"],["0"],["',
  '["call-arguments",["call-arguments",1,1]],',
  '["gas-tank",["granted-before"]]]}',
  '"message":"","contents":[{"value":"0","data":"0xa9059cbb000000000000000000000000"}],',
  '"trace":[["paymaster",["paymaster"]],["operation",["operation","0.7"]],["mode",["mode","SPONSORED"]],["decode",["decode",196]],',
  '["policy-calls",["policy-calls",1,1]],["policy-sender",["policy-sender","0x"]],["policy-period",["policy-period",1764000000,null,null]],["policy-pause",["policy-pause",1764000000,false]],',
  '["policy-gas-price",["policy-gas-price",["1000000000"],null]],["operator-gas-price",["operator-gas-price",["1000000000"]]],',
  '["funding-wallet",["funding-wallet"]],["chain",["chain",8453]],["chain-gas-price",["chain-gas-price",["1000000000"],["1000000000"],["100000000"],["1000000000"]]],',
  '["gas-limits",["gas-limits",false]],["gas-guard",["gas-guard"]],["gas-limits",["gas-limits",true]],["policy-accounts",["policy-accounts","KNOWN","SimpleAccount 0.7"]],',
  '["operator-cost",["operator-cost",["100000000000000"]]],["policy-gas",["policy-gas",["100000"],null]],["policy-cost",["policy-cost",["100000000000000"],null,null,null]],',
  '["operator-holds",["operator-holds","sender",["100000000000000"],1,100,["1000000000000000000"]]],["operator-holds",["operator-holds","client",["100000000000000"],1,200,["50000000000000000000"]]],',
  '["gas-tank",["gas-tank",["100000000000000"],["100000000000000000"],["0"]]]]}',
];

/** The dictionary of decisions without texts. It never changes either. */
export const findingsDictionary = Buffer.from(steps.join(''));
