// The gateway's own tests send these to the gateway alone; here they go to the whole product.
export { BAD_INPUTS } from '../../apps/gateway/test/inputs/bad-inputs.js';
export { type Input } from '../../apps/gateway/test/inputs/input.js';
export { ODD_BUT_VALID } from '../../apps/gateway/test/inputs/odd-but-valid.js';
export { UNKNOWN_PROJECT } from '../../apps/gateway/test/inputs/unknown-project.js';
