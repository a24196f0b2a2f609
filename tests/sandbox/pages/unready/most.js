window.log.push('most');
