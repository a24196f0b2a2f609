say("script");
