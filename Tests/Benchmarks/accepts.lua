-- Asks for sign-in mails, each to an address that nobody used before. Arguments: a word for this run, and how many milliseconds each
-- connection thinks before a request (0: none).
dofile("summary.lua")

local threads = 0

function setup(thread)
  threads = threads + 1
  thread:set("number", threads)
end

function init(args)
  prefix, sent = args[1] .. "-" .. number .. "-", 0
  local think = tonumber(args[2])
  if think > 0 then
    math.randomseed(number)
    function delay() return math.random(0, 2 * think) end
  end
  wrk.headers["Content-Type"] = "application/json"
end

function request()
  sent = sent + 1
  return wrk.format("POST", "/v1/accounts:sendOobCode?key=bench-key", nil,
    '{"requestType":"EMAIL_SIGNIN","email":"' .. prefix .. sent .. '@people.example.com",' ..
    '"continueUrl":"https://app.example.com/finish?cart=1","canHandleCodeInApp":true,' ..
    '"iOSBundleId":"com.example.app","androidPackageName":"com.example.app"}')
end
