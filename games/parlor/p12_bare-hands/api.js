// The functions of a program of Bare Hands: `call` gives a command of the game and returns {ok, feedback}. They are
// global; `bot` is the argument of the program's function.
(call, chat) => {
  let known = null;
  const look = () => (known ??= JSON.parse(call('look').feedback));
  const act = async (name, args) => {
    known = null;
    const { ok, feedback } = call(name, args);
    chat(feedback);
    if (!ok) throw new Error(feedback);
    return feedback;
  };
  const numberOf = (n) => (n === undefined ? 1 : Number(n));
  const placeOf = (p) => (p && typeof p === 'object' ? { x: Number(p.x), y: Number(p.y) } : {});
  const nameOf = (n) => String(typeof n === 'object' && n ? n.name : n);
  const wayOf = (d) => {
    if (typeof d === 'string') return d;
    const x = Number(d?.x) || Number(d?.z) || 0;
    const y = Number(d?.y) || 0;
    return Math.abs(y) > Math.abs(x) ? (y > 0 ? 'down' : 'up') : x < 0 ? 'left' : 'right';
  };

  const bot = {
    chat,
    get inventory() { return { ...look().inventory }; },
    get position() { return { ...look().position }; },
    get health() { return look().health; },
    get hunger() { return look().hunger; },
    get biome() { return look().biome; },
    get isNight() { return look().night; },
    get chests() { return look().chests; },
    get mobs() { return look().mobs; },
    get secondsUsed() { return look().seconds; },
    count: (name) => look().inventory[nameOf(name)] ?? 0,
    findBlock: (name, radius = 32) => JSON.parse(call('find', { name: nameOf(name), radius, count: 1 }).feedback)[0] ?? null,
    findBlocks: (name, radius = 32, count = 64) => JSON.parse(call('find', { name: nameOf(name), radius, count }).feedback),
    blockAt: (position) => JSON.parse(call('block', placeOf(position)).feedback),
  };

  const primitives = {
    async exploreUntil(bot, direction, maxTime, callback) {
      for (let seconds = 0; seconds < Math.min(Number(maxTime) || 30, 120); seconds++) {
        const found = typeof callback === 'function' ? await callback() : null;
        if (found) return found;
        known = null;
        const { ok, feedback } = call('explore', { direction: wayOf(direction), seconds: 1 });
        if (!ok) {
          chat(feedback);
          return null;
        }
      }
      return typeof callback === 'function' ? ((await callback()) || null) : null;
    },
    mineBlock: (bot, name, count) => act('mine', { name: nameOf(name), count: numberOf(count) }),
    craftItem: (bot, name, count) => act('craft', { name: nameOf(name), count: numberOf(count) }),
    placeItem: (bot, name, position) => act('place', { name: nameOf(name), ...placeOf(position) }),
    smeltItem: (bot, itemName, fuelName, count) => act('smelt', { name: nameOf(itemName), fuel: nameOf(fuelName), count: numberOf(count) }),
    killMob: (bot, mobName, timeout) => act('kill', { name: nameOf(mobName), seconds: Number(timeout) || 60 }),
    async getItemFromChest(bot, chestPosition, itemsToGet) {
      for (const [name, count] of Object.entries(itemsToGet)) await act('take', { name, count: numberOf(count), ...placeOf(chestPosition) });
    },
    async depositItemIntoChest(bot, chestPosition, itemsToDeposit) {
      for (const [name, count] of Object.entries(itemsToDeposit)) await act('deposit', { name, count: numberOf(count), ...placeOf(chestPosition) });
    },
  };
  Object.assign(globalThis, primitives);
  return bot;
}
