-- Each channel is taken up by itself. The index over all of them stays for the version before this one.
CREATE INDEX deliveries_of_channel ON deliveries (channel, next_at) WHERE state = 'waiting';
