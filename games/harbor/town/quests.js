// @ts-check
/** Harbour, how each quest begins: where one stands (metres, degrees; 0 is north, 90 east) and what one carries. */

/** @type {Record<string, {x: number, z: number, yaw: number, basket?: boolean, awake?: boolean}>} */
export const QUESTS = {
  n1: { x: 17, z: 16.4, yaw: 0 },
  n2: { x: 31, z: 10, yaw: 270 },
  n3: { x: 43, z: 10.2, yaw: 270 },
  n4: { x: 15, z: 23.8, yaw: 0 },
  i1: { x: 39, z: 10.6, yaw: 0 },
  i2: { x: 37.2, z: 11.2, yaw: 90, basket: true },
  i3: { x: 44, z: 10.6, yaw: 180 },
  m1: { x: 23.4, z: 10.8, yaw: 90 },
  m2: { x: 35, z: 10.8, yaw: 90, awake: true },
  m3: { x: 17, z: 11.2, yaw: 180 },
};
