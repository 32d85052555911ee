/**
 * KEYS: the tenant's results (hash: key -> "<end in ms>|<text>"), their ends (sorted set). Both keys live as long as
 * their longest result. The time is Redis's own, so that workers whose clocks differ agree.
 */
const NOW = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
`;

/** ARGV: key. Returns the text, or nil. */
export const GET_RESULT = `${NOW}
local entry = redis.call('HGET', KEYS[1], ARGV[1])
if not entry then return nil end
local bar = string.find(entry, '|', 1, true)
if tonumber(string.sub(entry, 1, bar - 1)) <= now then return nil end
return string.sub(entry, bar + 1)
`;

/** ARGV: key, text, milliseconds to live, most results. What is over goes first, then what ends soonest. */
export const PUT_RESULT = `${NOW}
local over = redis.call('ZRANGEBYSCORE', KEYS[2], '-inf', now)
redis.call('ZADD', KEYS[2], now + ARGV[3], ARGV[1])
redis.call('HSET', KEYS[1], ARGV[1], string.format('%d', now + ARGV[3]) .. '|' .. ARGV[2])
for _, key in ipairs(over) do
  if key ~= ARGV[1] then
    redis.call('ZREM', KEYS[2], key)
    redis.call('HDEL', KEYS[1], key)
  end
end
local surplus = redis.call('ZCARD', KEYS[2]) - ARGV[4]
if surplus > 0 then
  local first = redis.call('ZPOPMIN', KEYS[2], surplus)
  for at = 1, #first, 2 do redis.call('HDEL', KEYS[1], first[at]) end
end
for _, name in ipairs(KEYS) do
  if redis.call('PTTL', name) < tonumber(ARGV[3]) then redis.call('PEXPIRE', name, ARGV[3]) end
end
return 1
`;
