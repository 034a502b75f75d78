// The present time for relative times, in milliseconds; ticks every five seconds.

import { Store } from "../model/store";

export const clock = new Store(Date.now());

setInterval(() => clock.set(Date.now()), 5000);
